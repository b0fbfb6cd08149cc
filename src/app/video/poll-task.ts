import { nextPollAtMs } from '../../domain/polling/poll-pace.ts'
import { stageOf } from '../../domain/video/hand-over.ts'
import type { Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { ClaimedTask, NextPoll, StoredTask } from '../../ports/tasks.ts'
import type { Reading, VideoDriver } from '../../ports/video-driver.ts'
import { withDeadline } from '../jobs/deadline.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { ticketOf } from './encrypted.ts'
import { resolveSubmitting } from './resolve-submitting.ts'
import { EXPIRED, type SendAttempt } from './send-attempt.ts'
import type { WithdrawRevoked } from './withdraw-revoked.ts'

/** Asks the vendor about one claimed task and takes the answer in. Returns when to ask again; undefined: never. */
export type PollTask = (
  task: ClaimedTask,
  poll: {
    claimedAtMs: number
    /** Aborted when the process leaves: it does not wait for the answer, and another worker may ask at once. */
    signal: AbortSignal
    /** The vendor asked for a pause of this length for all its tasks. */
    rest(ms: number): void
  },
) => Promise<NextPoll | undefined>

export interface PollTools {
  applySnapshot: ApplySnapshot
  withdrawRevoked: WithdrawRevoked
  sendAttempt: SendAttempt
  secrets: Secrets
  clock: Clock
  /** Decides what is over. */
  deadlineClock: Clock
  log: Log
  sweepIntervalMs: number
  submittingResolveMs: number
}

/** Without a driver, because the provider is not configured any more, tasks stay as they are until their deadline. */
export function pollTask(driver: VideoDriver | undefined, tools: PollTools): PollTask {
  const { applySnapshot, withdrawRevoked, sendAttempt, secrets, clock, deadlineClock, log, sweepIntervalMs } =
    tools
  const resolve = resolveSubmitting(tools)

  return async (task, { claimedAtMs, signal, rest }) => {
    const { id, fence } = task
    const askedAtMs = deadlineClock.nowMs()
    switch (stageOf(task)) {
      case 'waiting':
        await sendAttempt(task)
        return undefined
      case 'unanswered':
        return resolve(task, askedAtMs)
      case 'taken':
    }
    const isLeft = () => ({ id, fence, nextPollAtMs: clock.nowMs(), seenAtMs: null })
    if (isWithdrawn(task) && askedAtMs < task.expiresAtMs) {
      const withdrawn = await withDeadline(withdrawRevoked(task), { signal })
      if (withdrawn === undefined) return isLeft()
      if (withdrawn.value) return undefined
    }
    const answer = await withDeadline(read(task), { signal })
    if (answer === undefined) return isLeft()
    const reading = answer.value
    const isSame = reading.kind === 'snapshot' && reading.snapshot.status === task.status
    if (reading.kind === 'snapshot' && !isSame) {
      const after = await applySnapshot(task, reading.snapshot)
      if (after === undefined || hasEnded(after.status)) return undefined
    }
    if (reading.kind === 'unanswered' && reading.retryAfterMs !== undefined) rest(reading.retryAfterMs)
    if (isOver(task, reading, askedAtMs)) return expire(task, reading)
    const nowMs = clock.nowMs()
    const waitMsMin = waitAfter(reading)
    const atMs = nextPollAtMs({ ...task, claimedAtMs, nowMs, sweepIntervalMs, waitMsMin })
    // Most polls find what is stored already: that the vendor said so is written with the next moment.
    return { id, fence, nextPollAtMs: atMs, seenAtMs: isSame ? nowMs : null }
  }

  async function read(task: StoredTask): Promise<Reading> {
    const ticket = ticketOf(task, secrets)
    if (driver === undefined || ticket === undefined) return NO_DRIVER_OR_TICKET
    try {
      return await driver.read(ticket, task.organizationId)
    } catch (error) {
      log.error('task.driver_failed', { taskId: task.id, provider: task.provider, error })
      return { kind: 'unanswered', cause: error, retryAfterMs: undefined }
    }
  }

  async function expire(task: ClaimedTask, reading: Reading): Promise<undefined> {
    const { id: taskId, organizationId, provider } = task
    const after = await applySnapshot(task, reading.kind === 'unanswered' ? UNANSWERED_TO_THE_END : EXPIRED)
    if (after?.status !== 'failed') return
    const reason = reading.kind === 'snapshot' ? reading.snapshot.status : reading.kind
    log.warn('task.expired', { taskId, organizationId, provider, reason })
  }
}

/**
 * An answer that does not come, or a vendor that is too busy for one, says nothing about the task: it may have been made,
 * and will be billed to us. Such a poll is repeated beyond the deadline, while the hold is still there to pay for it.
 */
const UNANSWERED_GRACE_MS = 1_800_000

function isOver({ expiresAtMs }: StoredTask, reading: Reading, askedAtMs: number): boolean {
  const isWorthRepeating = reading.kind === 'unanswered' && reading !== NO_DRIVER_OR_TICKET
  return askedAtMs >= expiresAtMs + (isWorthRepeating ? UNANSWERED_GRACE_MS : 0)
}

/** A stand-in may have it waiting although the vendor before had begun it. */
function isWithdrawn({ withheldAtMs, status, attempt }: StoredTask): boolean {
  return withheldAtMs !== null && (status === 'queued' || attempt > 1)
}

const NO_DRIVER_OR_TICKET: Reading = {
  kind: 'unanswered',
  cause: new Error('there is no vendor to ask'),
  retryAfterMs: undefined,
}

const UNANSWERED_TO_THE_END: Snapshot = {
  ...EXPIRED,
  error: { code: 'upstream_error', message: 'The provider did not answer until the task had expired.' },
}

/** A ticket that a vendor does not know may be a wrong address of ours: not a reason to fail, nor to ask often. */
const GONE_WAIT_MS = 60_000

function waitAfter(reading: Reading): number {
  if (reading.kind === 'gone') return GONE_WAIT_MS
  return reading.kind === 'unanswered' ? (reading.retryAfterMs ?? 0) : 0
}
