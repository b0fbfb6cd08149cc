import { expect, it } from 'vitest'
import { rowsRead } from './list-assets.ts'

const ALL = ['processing', 'active', 'failed'] as const
const counts = { processing: 30, active: 9_000, failed: 970 }

it.each([
  ['a first page', { statuses: ALL, name: undefined }, 0, 10],
  ['a third page', { statuses: ALL, name: undefined }, 20, 30],
  ['the middle', { statuses: ALL, name: undefined }, 4_990, 5_000],
  ['the last page, from the end', { statuses: ALL, name: undefined }, 9_990, 10],
  ['a page behind the last', { statuses: ALL, name: undefined }, 10_000, 0],
  ['one status', { statuses: ['failed'] as const, name: undefined }, 0, 10],
  [
    'two statuses, with the third in between',
    { statuses: ['failed', 'processing'] as const, name: undefined },
    0,
    9_010,
  ],
  ['a name', { statuses: ALL, name: 'cat' }, 0, 10_000],
  ['a name in one status', { statuses: ['failed'] as const, name: 'cat' }, 0, 10_000],
])('%s', (_name, filter, offset, rows) => {
  expect(rowsRead({ filter, counts, offset, limit: 10 })).toBe(rows)
})
