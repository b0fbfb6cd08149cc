import type { Kind } from '../settings/kinds/kind.ts'
import { type FileReading, readMappingFields, reportAt } from './mapping.ts'

export function readList(
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return reportAt(path, reading, {
    wrong: 'it is not a list',
    fix: 'Write each item on a line of its own that begins with "- ", or all of them in [ ].',
  })
}

export function readListOf<Value>(
  kind: Kind<Value>,
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): Value[] | undefined {
  const items = readList(value, path, reading)
  const read = items?.map((item, place) => readItem(kind, item, { place: `${place}`, path, reading }))
  return read?.every((item) => item !== undefined) ? read : undefined
}

function readItem<Value>(
  kind: Kind<Value>,
  item: unknown,
  { place, path, reading }: { place: string; path: readonly string[]; reading: FileReading },
): Value | undefined {
  const field = { kind, required: true, meaning: '' } as const
  return readMappingFields({ [place]: field }, { mapping: new Map([[place, item]]), path, reading })?.[place]
}
