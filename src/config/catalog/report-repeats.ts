import type { FileReading } from '../yaml/mapping.ts'

/** Reports what says the same as an earlier item of its list. undefined stands for an item that had a fault. */
export function reportRepeats<Item>(
  items: readonly (Item | undefined)[],
  {
    what,
    keyOf,
    path,
    reading,
  }: {
    /** The field that must differ, or undefined when it is the whole item. */
    what: string | undefined
    keyOf(item: Item): string
    /** Of the list. */
    path: readonly string[]
    reading: FileReading
  },
): void {
  const first = new Map<string, number>()
  items.forEach((item, index) => {
    if (item === undefined) return
    const key = keyOf(item)
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, index)
      return
    }
    const placeOf = (number: number) =>
      reading.tree.place([...path, `${number}`, ...(what === undefined ? [] : [what])])
    reading.report({
      setting: placeOf(index),
      wrong: `it says the same as ${placeOf(earlier)}: ${key}`,
      fix: 'Take one of the two out, or correct it.',
    })
  })
}
