import { expect, test } from 'vitest'
import { shareDays } from '../../../src/app/billing/settle-group.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { fc } from '../../random/properties.ts'
import { DAY } from './replica.ts'
import { sampleSpent } from './sample-spent.ts'

const move = (deltaMicros: number, part: { userId?: string; day?: string; version?: number } = {}) => ({
  userId: 'usr_1',
  day: DAY,
  version: 7,
  deltaMicros: micros(deltaMicros),
  ...part,
})

test('rows of one life share one change', () => {
  const group = [sampleSpent('use_1', { life: 'a' }), sampleSpent('use_2', { life: 'a' })]
  const reservation = { userId: 'usr_1', day: DAY, life: 'a', amountMicros: 60, isUncovered: false }
  expect(shareDays(group, [move(20)])).toEqual({ changes: [{ reservation, move: move(20) }], unknown: [] })
})

test.each([0, 1])('rows of one life stay uncovered if one of them is: %i', (which) => {
  const group = [sampleSpent('use_1', { life: 'a' }), sampleSpent('use_2', { life: 'a' })]
  const uncovered = group[which]?.reservation ?? expect.fail('nothing reserved')
  uncovered.isUncovered = true
  expect(shareDays(group, [move(20)]).changes).toMatchObject([{ reservation: { isUncovered: true } }])
})

test('rows of each life, and rows without a reservation, get their own part with the same version', () => {
  const group = [
    sampleSpent('use_1', { life: 'a', row: { costMicros: micros(1) } }),
    sampleSpent('use_2', { row: { costMicros: micros(2) } }),
    sampleSpent('use_3', { life: 'b', row: { costMicros: micros(4) } }),
    sampleSpent('use_4', { life: 'a', row: { costMicros: micros(8) } }),
  ]
  const { changes } = shareDays(group, [move(15)])
  expect(changes.map((change) => [change.reservation?.life, change.move])).toEqual([
    ['a', move(9)],
    [undefined, move(2)],
    ['b', move(4)],
  ])
})

test('days and users are not mixed up', () => {
  const group = [
    sampleSpent('use_1', { row: { day: '2023-11-13' } }),
    sampleSpent('use_2', { row: { userId: 'usr_2' } }),
    sampleSpent('use_3'),
  ]
  const [first, second, third] = [
    move(10, { day: '2023-11-13' }),
    move(10, { userId: 'usr_2', version: 1 }),
    move(10),
  ]
  const { changes } = shareDays(group, [third, first, second])
  expect(changes.map((change) => change.move)).toEqual([first, second, third])
})

test('a reservation without a move is unknown; a row without a reservation needs no change', () => {
  const group = [sampleSpent('use_1', { life: 'a' }), sampleSpent('use_2', { row: { userId: 'usr_2' } })]
  expect(shareDays(group, [])).toEqual({ changes: [], unknown: [group[0]?.reservation] })
})

/** Changes a bucket as the port describes it: one life at a time, built from the store at some version. */
function applyTo(
  bucket: { life: string; builtFrom: number; used: number },
  change: ReturnType<typeof shareDays>['changes'][number],
): void {
  const { reservation, move: stored } = change
  if (reservation?.life === bucket.life) {
    bucket.used += stored.deltaMicros - reservation.amountMicros
  } else if (bucket.builtFrom < stored.version) bucket.used += stored.deltaMicros
}

test('a bucket that is rebuilt meanwhile ends with exactly the stored amount', () => {
  const rows = fc.array(
    fc.record({
      life: fc.constantFrom('old', 'now', undefined),
      cost: fc.integer({ min: 0, max: 50 }),
      reserved: fc.integer({ min: 0, max: 50 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(rows, fc.boolean(), (group, isBuiltAfter) => {
      // A row of the life `now` was reserved after the build, so the store wrote it after the build too.
      const builtAfter = isBuiltAfter && group.every(({ life }) => life !== 'now')
      const total = group.reduce((sum, { cost }) => sum + cost, 0)
      const reservedNow = group.reduce((sum, { life, reserved }) => sum + (life === 'now' ? reserved : 0), 0)
      const bucket = {
        life: 'now',
        builtFrom: builtAfter ? 7 : 6,
        used: 100 + reservedNow + (builtAfter ? total : 0),
      }
      const spents = group.map(({ life, cost, reserved }, index) =>
        sampleSpent(`use_${index}`, { life, reserved, row: { costMicros: micros(cost) } }),
      )
      for (const change of shareDays(spents, [move(total)]).changes) applyTo(bucket, change)
      expect(bucket.used).toBe(100 + total)
    }),
  )
})
