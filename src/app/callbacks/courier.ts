import type { DueStore } from '../../ports/callbacks.ts'
import type { ClaimShare } from '../../ports/tasks.ts'
import { bringForward } from '../jobs/bring-forward.ts'
import type { Job } from '../jobs/job-slots.ts'
import { createLeaseRunner, type JobLease, type LeaseRunner } from '../jobs/lease-runner.ts'
import type { Runtime } from '../runtime.ts'
import { type Deliver, type DueMessage, ownerOf } from './deliver-message.ts'

/** Maximum running attempts: at most the number of connections, because an attempt without a connection is wasted. */
const SLOTS = 64
/** Maximum running attempts of one organization, so that its slow receiver delays no other. */
const SLOTS_EACH = 8
/** Longer than an attempt can take. After a crash, the next attempt waits until the lease ends. */
const LEASE_MS = 45_000
/** Time for running attempts when the process stops. They are then cut off; an attempt that was sent counts as failed. */
const STOPPING_MS_MAX = 1_000

const MESSAGE_WORDS = {
  operation: 'send callbacks',
  claimFailed: 'callback.claim_failed',
  givenUp: 'callback.given_up',
  attemptFailed: 'callback.attempt_failed',
} as const

/** Log texts for copies of videos, which are claimed and retried like messages. */
export const COPY_WORDS = {
  operation: 'copy videos',
  claimFailed: 'clip.claim_failed',
  givenUp: 'clip.given_up',
  attemptFailed: 'clip.attempt_failed',
} as const

/** Delivers due callbacks. `wake` is called after a callback was written, so that it does not wait for the next pass. */
export type Courier = Pick<LeaseRunner, 'pass' | 'wake' | 'idle' | 'stop'>

interface MessageJob<Due extends DueMessage> extends Job {
  due: Due
}

export function createCourier<Due extends DueMessage>(
  tools: Pick<Runtime, 'clock' | 'log' | 'pause'> & {
    callbacks: DueStore<Due, Pick<DueMessage, 'organizationId' | 'taskId'>>
    deliver: Deliver<Due>
    slots?: number
    slotsEach?: number
    /** Longest pause between two attempts; the store adds the longer pause of extended retries. Default: `leaseMs`. */
    pauseMsMax?: number
    /** Longer than an attempt can take. */
    leaseMs?: number
    words?: typeof MESSAGE_WORDS | typeof COPY_WORDS
  },
): Courier {
  const {
    callbacks,
    deliver,
    clock,
    pause,
    log,
    slots = SLOTS,
    slotsEach = SLOTS_EACH,
    leaseMs = LEASE_MS,
    pauseMsMax = leaseMs,
    words = MESSAGE_WORDS,
  } = tools
  const runner = createLeaseRunner<MessageJob<Due>>({
    prepare: bringForward({
      move: callbacks.bringForward,
      pauseMsMax,
      clock,
      log,
      operation: words.operation,
    }),
    claim,
    run,
    giveBack,
    slots,
    slotsEach,
    leaseMs,
    graceMs: STOPPING_MS_MAX,
    clock,
    log,
    failure: words.claimFailed,
  })
  return runner

  async function claim(room: { limit: number; share: ClaimShare }) {
    const nowMs = clock.nowMs()
    const { due, abandoned, more } = await callbacks.claimDue({
      ...room,
      nowMs,
      leaseUntilMs: nowMs + leaseMs,
    })
    for (const message of abandoned) log.warn(words.givenUp, { ...ownerOf(message), reason: 'unknown' })
    const jobs = due.map((one) => ({ key: one.id, organizationId: one.organizationId, due: one }))
    return { jobs, more }
  }

  async function run({ due }: MessageJob<Due>, lease: JobLease): Promise<void> {
    try {
      const delayMs = await deliver(due, lease)
      if (delayMs !== undefined) void pause(delayMs).then(runner.wake)
    } catch (error) {
      warn(due, error)
    }
  }

  async function giveBack({ due }: MessageJob<Due>): Promise<void> {
    try {
      await callbacks.giveBack({ callbackId: due.id, fence: due.fence, nextAttemptAtMs: clock.nowMs() })
    } catch (error) {
      warn(due, error)
    }
  }

  function warn(due: Due, error: unknown): void {
    log.warn(words.attemptFailed, { ...ownerOf(due), error })
  }
}
