import { type FileReading, reportAt } from './mapping.ts'

/** Reports items that repeat an earlier item, and returns whether all differ. Skips undefined items. */
export function reportRepeats<Item>(
  items: readonly (Item | undefined)[],
  input: {
    /** Name of the field that must differ; undefined: the whole item. */
    what: string | undefined
    keyOf(item: Item): string
    path: readonly string[]
    reading: FileReading
    /** Left out: the fault shows the key. */
    faultOf?(earlier: string): { wrong: string; fix: string }
  },
): boolean {
  const { what, keyOf, path, reading, faultOf } = input
  let isFine = true
  const first = new Map<string, number>()
  items.forEach((item, index) => {
    if (item === undefined) return
    const key = keyOf(item)
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, index)
      return
    }
    const pathOf = (number: number) => [...path, `${number}`, ...(what === undefined ? [] : [what])]
    const place = reading.tree.place(pathOf(earlier))
    const fix = 'Take one of the two out, or correct it.'
    isFine = false
    reportAt(pathOf(index), reading, faultOf?.(place) ?? { wrong: `it repeats ${place}: ${key}`, fix })
  })
  return isFine
}
