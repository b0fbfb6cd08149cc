import type { FileReading } from '../yaml/mapping.ts'

/** Reports items that repeat an earlier one. undefined stands for an item with a fault. */
export function reportRepeats<Item>(
  items: readonly (Item | undefined)[],
  input: {
    /** Name of the field that must differ; undefined: the whole item. */
    what: string | undefined
    keyOf(item: Item): string
    path: readonly string[]
    reading: FileReading
  },
): void {
  const { what, keyOf, path, reading } = input
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
