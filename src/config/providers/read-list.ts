import type { FileReading } from './mapping.ts'

/** The items of a list; reports anything else. */
export function readList(
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  reading.report({
    setting: reading.tree.place(path),
    wrong: 'it is not a list',
    fix: 'Write each item on a line of its own that begins with "- ", or all of them in [ ].',
  })
  return undefined
}
