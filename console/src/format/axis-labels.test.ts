import { expect, test } from 'vitest'
import { labelsOf } from './axis-labels.ts'
import { countShort, usdShort } from './format.ts'

test.each([
  // Every line is hidden: the axis goes from 0 to a millionth of a dollar.
  [
    [0, 0.2, 0.4, 0.6, 0.8, 1],
    ['$0.00', '', '', '', '', ''],
  ],
  [
    [0, 10, 20, 30],
    ['$0.00', '', '', ''],
  ],
  [
    [0, 1_000_000, 2_000_000],
    ['$0.00', '$1.00', '$2.00'],
  ],
  [[], []],
])('money at %j', (ticks, labels) => {
  expect(labelsOf(ticks, (value) => usdShort(value, 'en'))).toEqual(labels)
})

test('no label has half a request', () => {
  expect(labelsOf([0, 0.5, 1, 1.5, 2], (value) => countShort(value, 'en'))).toEqual(['0', '', '1', '', '2'])
})
