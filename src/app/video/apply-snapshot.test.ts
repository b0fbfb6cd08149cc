import { expect, test } from 'vitest'
import { micros } from '../../domain/billing/micros.ts'
import type { CostTerms } from '../../domain/video/cost-of-task.ts'
import { passCheckpoint } from '../../ports/checkpoint.ts'
import type { Moved } from '../../ports/tasks.ts'
import { type ApplySnapshotTools, afterCommit } from './apply-snapshot.ts'

/** 100,000 tokens at 7 USD a million were held: 700,000 micros. */
const PRICING = { unit: 'video_token', priceMicros: micros(7_000_000), estimatedTokens: 100_000 } as const

/** Metrics and log lines of an ended task, by the measure of the vendor. */
function end(status: 'succeeded' | 'failed', tokens: number, lossMicros = 0) {
  const reported: unknown[] = []
  const tools = {
    checkpoint: passCheckpoint,
    metrics: {
      taskEnded: ({ costMicros }: { costMicros: number }) => void reported.push(['charged', costMicros]),
      holdExceeded: () => void reported.push('exceeded'),
      moneyLost: (amount: number) => void reported.push(['lost', amount]),
    },
    log: { warn: (event: string, { count }: { count: number }) => void reported.push([event, count]) },
  } as unknown as ApplySnapshotTools
  const task = { id: 'task_1', organizationId: 'org_1', provider: 'vendorA', model: 'vendorA/m', status }
  const moved = { kind: 'moved', task: { ...task, pricing: PRICING }, ended: true, lossMicros }
  const cost: CostTerms = { unit: 'video_token', quantity: tokens, priceMicros: PRICING.priceMicros }
  afterCommit(moved as unknown as Extract<Moved, { kind: 'moved' }>, { cost }, tools)
  return reported
}

test('a video that costs exactly its hold is charged 700,000 micros, and nothing is logged', () => {
  expect(end('succeeded', 100_000)).toEqual([['charged', 700_000]])
})

test('a video that costs more than its hold is counted and logged with the excess of 70,000 micros', () => {
  expect(end('succeeded', 110_000)).toEqual([['charged', 770_000], 'exceeded', ['task.above_hold', 70_000]])
})

test('the part that the balance could not pay is not charged', () => {
  expect(end('succeeded', 110_000, 20_000)).toEqual([
    ['charged', 750_000],
    'exceeded',
    ['task.above_hold', 70_000],
    ['lost', 20_000],
    ['task.loss', 20_000],
  ])
})

test('a failed video is charged 0 micros, whatever the vendor measured', () => {
  expect(end('failed', 110_000)).toEqual([['charged', 0]])
})
