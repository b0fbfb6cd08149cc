import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/engines/money/test-clock.ts'
import { silentMetrics } from '../../../test/silent-metrics.ts'
import { micros } from '../../domain/billing/micros.ts'
import type { ExpiredHold } from '../../ports/ledger.ts'
import { expireHolds } from './expire-holds.ts'

const DAY_MOVE = { userId: 'usr_1', day: '2023-11-14', deltaMicros: micros(-5), version: 2 }
const TASK: ExpiredHold = {
  id: 'hold_1',
  kind: 'task',
  organizationId: 'org_1',
  taskId: 'task_1',
  amountMicros: micros(5),
  day: DAY_MOVE,
}
const ALLOWANCE: ExpiredHold = { ...TASK, kind: 'allowance', taskId: null, day: undefined }

test('all due holds expire, and their days and allowances are reported', async () => {
  const passes = [Array.from({ length: 100 }, () => ALLOWANCE), [TASK, ALLOWANCE]]
  const limits: number[] = []
  const counted: number[] = []
  const moves: unknown[] = []
  const ended: string[] = []
  const lines: unknown[] = []
  const nothing = () => {}
  await expireHolds({
    ledger: {
      expire: async ({ limit }) => {
        limits.push(limit)
        return passes.shift() ?? []
      },
    },
    clock: createTestClock(),
    log: {
      debug: nothing,
      info: nothing,
      error: nothing,
      warn: (event, fields) => lines.push([event, fields]),
    },
    metrics: silentMetrics({ allowanceExpired: (amount) => counted.push(amount) }),
    onDayMove: (move) => moves.push(move),
    onAllowanceExpired: ({ kind }) => ended.push(kind),
  })()
  expect(limits).toEqual([100, 100])
  expect(counted.length).toBe(101)
  expect(moves).toEqual([DAY_MOVE])
  expect(ended).toEqual(Array.from({ length: 101 }, () => 'allowance'))
  expect(lines).toContainEqual(['hold.expired', { organizationId: 'org_1', taskId: 'task_1', count: 5 }])
})
