import { nextPollAtMs } from '../../domain/polling/poll-pace.ts'
import { stageOf } from '../../domain/video/hand-over.ts'
import { failureSnapshot, type Snapshot } from '../../domain/video/snapshot.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ClaimedTask, NextPoll, StoredTask } from '../../ports/tasks.ts'
import type { Reading, VideoDriver } from '../../ports/video-driver.ts'
import { withDeadline } from '../jobs/deadline.ts'
import type { Runtime } from '../runtime.ts'
import type { ApplySnapshot } from './apply-snapshot.ts'
import { ticketOf } from './encrypted.ts'
import { resolveSubmitting } from './resolve-submitting.ts'
import { EXPIRED, expireTask, type SendAttempt } from './send-attempt.ts'
import type { WithdrawRevoked } from './withdraw-revoked.ts'

/** Polls the vendor for one claimed task and applies the answer. Returns the next poll; undefined: there is none. */
export type PollTask = (
  task: ClaimedTask,
  poll: {
    claimedAtMs: number
    /** Aborted when the process stops: the poll then does not wait for the answer, and another worker may poll now. */
    signal: AbortSignal
    rest(ms: number): void
  },
) => Promise<NextPoll | undefined>

export interface PollTools extends Pick<Runtime, 'clock' | 'log' | 'secrets'> {
  applySnapshot: ApplySnapshot
  withdrawRevoked: WithdrawRevoked
  sendAttempt: SendAttempt
  /** Ignores a forward jump of the system clock for a while, so that nothing expires too early. */
  deadlineClock: Clock
  sweepIntervalMs: number
  submittingResolveMs: number
}

/** Without a driver, because the provider is no longer configured, tasks stay unchanged until their deadline. */
export function pollTask(driver: VideoDriver | undefined, tools: PollTools): PollTask {
  const { applySnapshot, withdrawRevoked, sendAttempt, secrets, clock, deadlineClock, log, sweepIntervalMs } =
    tools
  const resolve = resolveSubmitting(tools)

  return async (task, { claimedAtMs, signal, rest }) => {
    const { id, fence } = task
    const polledAtMs = deadlineClock.nowMs()
    switch (stageOf(task)) {
      case 'waiting':
        await sendAttempt(task)
        return undefined
      case 'unanswered':
        return resolve(task, polledAtMs)
      case 'taken':
    }
    const dueNow = () => ({ id, fence, nextPollAtMs: clock.nowMs(), seenAtMs: null })
    if (isWithdrawn(task) && polledAtMs < task.expiresAtMs) {
      const withdrawn = await withDeadline(withdrawRevoked(task), { signal })
      if (withdrawn === undefined) return dueNow()
      if (withdrawn.value) return undefined
    }
    const answer = await withDeadline(read(task), { signal })
    if (answer === undefined) return dueNow()
    const reading = answer.value
    const isSame = reading.kind === 'snapshot' && reading.snapshot.status === task.status
    if (reading.kind === 'snapshot' && !isSame) {
      const after = await applySnapshot(task, reading.snapshot)
      if (after === undefined || hasEnded(after.status)) return undefined
    }
    if (reading.kind === 'unanswered' && reading.retryAfterMs !== undefined) rest(reading.retryAfterMs)
    if (isOver(task, reading, polledAtMs)) return expireTask(task, endOf(reading), tools)
    const nowMs = clock.nowMs()
    const waitMsMin = waitAfter(reading)
    const atMs = nextPollAtMs({ ...task, claimedAtMs, nowMs, sweepIntervalMs, waitMsMin })
    // Most polls return the stored status, so the time of the answer is written together with the next poll.
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
}

function endOf(reading: Reading): { snapshot: Snapshot; reason: string } {
  const reason = reading.kind === 'snapshot' ? reading.snapshot.status : reading.kind
  return { snapshot: reading.kind === 'unanswered' ? UNANSWERED_TO_THE_END : EXPIRED, reason }
}

/**
 * A missing answer, or a vendor that is too busy, says nothing about the task: the vendor may have made the video and will
 * bill it. Such a poll is repeated beyond the deadline, while the hold can still pay for the video.
 */
const UNANSWERED_GRACE_MS = 1_800_000

function isOver({ expiresAtMs }: StoredTask, reading: Reading, polledAtMs: number): boolean {
  const isWorthRepeating = reading.kind === 'unanswered' && reading !== NO_DRIVER_OR_TICKET
  return polledAtMs >= expiresAtMs + (isWorthRepeating ? UNANSWERED_GRACE_MS : 0)
}

/** After a hand-over `running` may be the state at the earlier vendor, while the task is still queued at the stand-in. */
function isWithdrawn({ withheldAtMs, status, attempt }: StoredTask): boolean {
  return withheldAtMs !== null && (status === 'queued' || attempt > 1)
}

const NO_DRIVER_OR_TICKET: Reading = {
  kind: 'unanswered',
  cause: new Error('there is no vendor to ask'),
  retryAfterMs: undefined,
}

const UNANSWERED_TO_THE_END = failureSnapshot(
  'upstream_error',
  'The provider did not answer until the task had expired.',
)

/** A wrong address may explain an unknown ticket, so the task does not fail, but is polled less often. */
const GONE_WAIT_MS = 60_000

function waitAfter(reading: Reading): number {
  if (reading.kind === 'gone') return GONE_WAIT_MS
  return reading.kind === 'unanswered' ? (reading.retryAfterMs ?? 0) : 0
}
