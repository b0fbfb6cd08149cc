import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/engines/money/test-clock.ts'
import { checkLedger } from './check-ledger.ts'

const broken = (invariant: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ invariant, subject: `row_${index}`, message: 'Wrong.' }))

test.each([
  [[], 0, []],
  [broken(1, 100), 100, []],
  [[...broken(1, 101), ...broken(4, 3)], 103, [1]],
])('at most 100 violations per invariant are shown, and a cut is reported', async (found, shown, cut) => {
  const limits: number[] = []
  const check = checkLedger({
    clock: createTestClock(),
    ledger: {
      checkWithin: async ({ limit }) => {
        limits.push(limit)
        return { violations: found, unchecked: [] }
      },
      countUnmeasured: async () => 7,
    },
  })
  const { violations, truncatedInvariants, unmeasuredCharges } = await check()
  expect({ shown: violations.length, truncatedInvariants, limits, unmeasuredCharges }).toEqual({
    unmeasuredCharges: 7,
    shown,
    truncatedInvariants: cut,
    limits: [101],
  })
})
