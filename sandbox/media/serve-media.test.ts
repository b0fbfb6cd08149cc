import { expect, it } from 'vitest'
import { readByteRange } from './serve-media.ts'

it.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=50-1000', { start: 50, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-5', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['seconds=1-2', undefined],
  [undefined, undefined],
])('reads the range %s of 100 bytes', (header, expected) => {
  expect(readByteRange(header, 100)).toEqual(expected)
})
