import { expect, test } from 'vitest'
import { sharesOf } from './slot-shares.ts'

test.each([
  [1, 4, { each: 1, reserved: 0 }],
  [3, 4, { each: 3, reserved: 0 }],
  [4, 4, { each: 3, reserved: 1 }],
  [16, 4, { each: 12, reserved: 3 }],
  [256, 4, { each: 192, reserved: 48 }],
  [7, 8, { each: 7, reserved: 0 }],
  [4_096, 8, { each: 3_584, reserved: 384 }],
])('%i slots, of which one organization leaves one in %i', (slots, leftPart, expected) => {
  expect(sharesOf(slots, leftPart)).toEqual(expected)
})
