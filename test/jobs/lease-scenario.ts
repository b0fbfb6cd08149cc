import { vi } from 'vitest'
import type { Job } from '../../src/app/jobs/job-slots.ts'
import { createLeaseRunner, type JobLease, type LeaseRunnerOptions } from '../../src/app/jobs/lease-runner.ts'
import type { LogFields } from '../../src/ports/log.ts'
import type { ClaimShare } from '../../src/ports/tasks.ts'

export const LEASE_MS = 60_000
export const LOOK_AGAIN_MS = 1_000

/** Rows `a-1`, `a-2` of organization `a` and so on; a claimed row is due again when its lease has lapsed. */
export function openLeaseScenario(rows: string[], options: Partial<LeaseRunnerOptions<Job>> = {}) {
  const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
  const dueAtMs = new Map(rows.map((key) => [key, 0]))
  const running = new Map<string, { lease: JobLease; end(): void }>()
  const begun: string[] = []
  const aborted: string[] = []
  const returned: [key: string, afterMs: number][] = []
  const warnings: [string, LogFields | undefined][] = []
  const claims: number[] = []
  const store = { isUnreachable: false, answer: async () => {} }

  async function claim({ limit, share }: { limit: number; share: ClaimShare }) {
    if (store.isUnreachable) throw new Error('unreachable')
    claims.push(limit)
    const counts: Record<string, number> = { ...share.inHand }
    const jobs: Job[] = []
    let more: string | undefined
    for (const [key, atMs] of dueAtMs) {
      if (atMs > clock.monotonicMs()) continue
      const organizationId = key.split('-')[0] ?? ''
      const count = counts[organizationId] ?? 0
      if (count >= share.perOrganizationMax) continue
      if (jobs.length === limit) more = ''
      if (jobs.length === limit) break
      counts[organizationId] = count + 1
      dueAtMs.set(key, clock.monotonicMs() + LEASE_MS)
      jobs.push({ key, organizationId })
    }
    await store.answer()
    return { jobs, more }
  }

  const runner = createLeaseRunner<Job>({
    prepare: async () => {},
    claim,
    run({ key }, lease) {
      begun.push(key)
      lease.signal.addEventListener('abort', () => aborted.push(key))
      return new Promise((resolve) => {
        const end = () => {
          running.delete(key)
          if (!lease.isOver()) dueAtMs.delete(key)
          resolve()
        }
        running.set(key, { lease, end })
      })
    },
    giveBack({ key }, afterMs) {
      returned.push([key, afterMs])
      dueAtMs.set(key, clock.monotonicMs() + afterMs)
    },
    slots: 2,
    slotsEach: 2,
    leaseMs: LEASE_MS,
    lookAgainMs: LOOK_AGAIN_MS,
    clock,
    log: {
      debug() {},
      info() {},
      error() {},
      warn: (event, fields) => void warnings.push([event, fields]),
    },
    failure: 'task.claim_failed',
    ...options,
  })
  /** Lets everything happen that needs no time. */
  const turn = () => vi.advanceTimersByTimeAsync(0)
  const end = async (key: string) => {
    running.get(key)?.end()
    await turn()
  }
  const state = { begun, aborted, returned, warnings, claims, running, dueAtMs }
  return { runner, store, turn, end, ...state }
}
