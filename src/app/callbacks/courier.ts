import type { AbandonedCallback, CallbackStore, DueCallback } from '../../ports/callbacks.ts'
import type { Clock, Pause } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type Lease, type LeaseRunner } from '../jobs/lease-runner.ts'
import type { DeliverCallback } from './deliver-callback.ts'

/** No more than there are connections for them: an attempt that found none would be wasted. */
const SLOTS = 64
/** An organization with so many running attempts gets no more for now: its slow receiver holds up no other. */
const SLOTS_EACH = 8
/** Longer than an attempt can take; after a crash, the next attempt waits for its end. */
const LEASE_MS = 45_000
/** How long attempts may go on when the process stops; then they are cut off and count as failed. */
const STOPPING_MS_MAX = 1_000

/** Delivers due callbacks. `wake` after a callback was written: it need not wait for the next pass. */
export type Courier = Pick<LeaseRunner, 'pass' | 'wake' | 'idle' | 'stop'>

interface CallbackJob extends Job {
  callback: DueCallback
}

/** Every organization gets its share of each claim. */
export function createCourier({
  callbacks,
  deliver,
  clock,
  pause,
  log,
  slots = SLOTS,
  slotsEach = SLOTS_EACH,
}: {
  callbacks: Pick<CallbackStore, 'claimDue' | 'giveBack' | 'bringForward'>
  deliver: DeliverCallback
  clock: Clock
  pause: Pause
  log: Log
  slots?: number
  slotsEach?: number
}): Courier {
  const runner = createLeaseRunner<CallbackJob>({
    // A lease is the longest pause of a callback.
    prepare: bringForward({
      move: callbacks.bringForward,
      pauseMsMax: LEASE_MS,
      ...{ clock, log, operation: 'send callbacks' },
    }),
    claim,
    run,
    giveBack,
    slots,
    slotsEach,
    leaseMs: LEASE_MS,
    graceMs: STOPPING_MS_MAX,
    ...{ clock, log, failure: 'callback.claim_failed' },
  })
  return runner

  async function claim(room: Pick<Parameters<CallbackStore['claimDue']>[0], 'limit' | 'share'>) {
    const nowMs = clock.nowMs()
    const { due, abandoned, more } = await callbacks.claimDue({
      ...room,
      nowMs,
      leaseUntilMs: nowMs + LEASE_MS,
    })
    for (const callback of abandoned) logGivenUp(callback)
    const jobs = due.map((callback) => {
      const { id: key, organizationId } = callback
      return { key, organizationId, callback }
    })
    return { jobs, more }
  }

  function logGivenUp({ taskId, organizationId }: AbandonedCallback): void {
    log.warn('callback.given_up', { taskId, organizationId, reason: 'unknown' })
  }

  async function run({ callback }: CallbackJob, lease: Lease): Promise<void> {
    try {
      const delayMs = await deliver(callback, lease)
      if (delayMs !== undefined) void pause(delayMs).then(runner.wake)
    } catch (error) {
      warn(callback, error)
    }
  }

  async function giveBack({ callback }: CallbackJob): Promise<void> {
    const { id: callbackId, fence } = callback
    try {
      await callbacks.giveBack({ callbackId, fence, nextAttemptAtMs: clock.nowMs() })
    } catch (error) {
      warn(callback, error)
    }
  }

  function warn({ taskId, organizationId }: DueCallback, error: unknown): void {
    log.warn('callback.attempt_failed', { taskId, organizationId, error })
  }
}
