import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { reportFigure, roundsOf } from '../../test/random/fault-run.ts'
import type { Sent } from '../../test/system/faults/greedy-tenant.ts'
import { openTwoTenants } from '../../test/system/faults/two-tenants.ts'
import { runSluice } from '../../test/system/lifecycle/run-sluice.ts'
import { TEXT_REQUEST } from '../../test/system/lifecycle/steady-clients.ts'
import type { SteadyOrders } from './steady-thread.ts'

const ROUNDS = roundsOf({ slice: 1, whole: 12 })
const ROUND_MS = 5_000
/** Time in which the greedy load begins, or ends, before a round is counted. */
const SETTLE_MS = 2_000
const KEPT_MIN = 0.8
/** Minimum of failing prompts and tasks in a round with the neighbour: a fraction of what two idle cores send. */
const GREED_MIN = 100

test(`${ROUNDS} rounds with a greedy neighbour and ${ROUNDS} without: the other organization keeps 80 % of its throughput`, {
  timeout: 1_800_000,
}, async () => {
  const vendor = openThread('./plain-vendor.ts')
  const textVendorUrl = await vendor.reported<string>()
  const { gateway, books, key, startGreed } = await openTwoTenants({}, { textVendorUrl })
  // The clients pause: without a free core the greedy client's own work on this machine would be measured too.
  const orders: SteadyOrders = {
    ...{ baseUrl: gateway.baseUrl, key, count: 8, request: TEXT_REQUEST },
    pauseMs: 20,
  }
  const clients = openThread('./steady-thread.ts', orders)
  const answered = () => clients.ask<number>('count')
  const measure = async () => {
    await delay(SETTLE_MS)
    const [before, beganMs] = [await answered(), performance.now()]
    await delay(ROUND_MS)
    return (((await answered()) - before) * 1_000) / (performance.now() - beganMs)
  }
  const alone: number[] = []
  const beside: number[] = []
  const greed: Sent[] = []
  await delay(SETTLE_MS)
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await measure())
    const stopGreed = await startGreed(['large-bodies', 'slow-readers', 'failing-prompts', 'callback-storm'])
    beside.push(await measure())
    greed.push(await stopGreed())
  }
  const failures = await clients.ask<string[]>('stop')
  const sentBy = (act: keyof Sent) => greed.reduce((sum, sent) => sum + sent[act], 0)
  const kept = medianOf(beside) / medianOf(alone)
  reportFigure(
    `a greedy neighbour sent ${sentBy('large-bodies')} large bodies, ${sentBy('slow-readers')} streams that it did not read, ${sentBy('failing-prompts')} failing ` +
      `prompts and ${sentBy('callback-storm')} tasks with dead callbacks in ${ROUNDS} rounds: ${Math.round(medianOf(alone))} requests a second of the other alone, ` +
      `${Math.round(medianOf(beside))} beside it (${Math.round(kept * 100)} %), ${failures.length} refused`,
  )
  expect(failures).toEqual([])
  // No breaker opens at all: what fails is the fault of one organization.
  expect(gateway.output()).not.toMatch(/"breaker\.opened"/)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  // A neighbour that this machine left no processor time for would prove nothing.
  expect(sentBy('failing-prompts') + sentBy('callback-storm')).toBeGreaterThan(ROUNDS * GREED_MIN)
  expect(kept).toBeGreaterThanOrEqual(KEPT_MIN)
})

/** A thread that answers each message with one message. */
function openThread(file: string, workerData?: unknown) {
  const worker = new Worker(new URL(file, import.meta.url), { workerData })
  onTestFinished(async () => void (await worker.terminate()))
  const reported = async <T>(): Promise<T> => {
    const [message] = await once(worker, 'message')
    return message
  }
  return {
    reported,
    ask<T>(question: string): Promise<T> {
      const answer = reported<T>()
      worker.postMessage(question)
      return answer
    },
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}
