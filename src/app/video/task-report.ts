import { type Micros, ZERO_MICROS } from '../../domain/billing/micros.ts'
import { hasEnded } from '../../domain/video/task.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TaskAttempt } from '../../ports/task-attempts.ts'
import type { StoredTask, TaskForOperator, TaskIdentity } from '../../ports/tasks.ts'
import { ticketOf } from './encrypted.ts'

/** A task as an operator may see it: with the vendor's ticket and the money, without the request and the result. */
export interface TaskReport
  extends TaskIdentity,
    Pick<StoredTask, 'servedModel' | 'status' | 'error' | 'withheldAtMs'>,
    Pick<StoredTask, 'updatedAtMs' | 'completedAtMs' | 'deletedAtMs'> {
  hasEnded: boolean
  /** The vendor's ticket; null: the vendor has not answered, or the ticket was encrypted with another secret. */
  ticket: string | null
  deadlineAtMs: number
  /** Time from its creation until its end, or until now. */
  ageMs: number
  estimateMicros: Micros
  /** Amount held now; zero once the task has ended. */
  heldMicros: Micros
  /** null until the task has ended. */
  chargedMicros: Micros | null
  refundedMicros: Micros
  callback: CallbackStanding
  /** Time since which sweeps skip it, because its row could not be claimed or read. */
  setAsideAtMs: number | null
  /** Attempts in their order; left out in lists. */
  vendorAttempts?: readonly AttemptReport[]
}

export interface AttemptReport extends Omit<TaskAttempt, 'encryptedTicket'> {
  ticket: string | null
}

export type CallbackStanding =
  | 'none'
  /** The client gave a callback URL, but callbacks of the family need notices, for which no address was configured. */
  | 'off'
  | 'after-end'
  | 'pending'
  | 'delivered'
  | 'given-up'

export function reportTask(
  task: TaskForOperator,
  { secrets, nowMs }: { secrets: Secrets; nowMs: number },
): TaskReport {
  const ended = hasEnded(task.status)
  return {
    id: task.id,
    organizationId: task.organizationId,
    userId: task.userId,
    keyId: task.keyId,
    model: task.model,
    provider: task.provider,
    servedModel: task.servedModel,
    status: task.status,
    hasEnded: ended,
    ticket: ticketOf(task, secrets) ?? null,
    createdAtMs: task.createdAtMs,
    updatedAtMs: task.updatedAtMs,
    completedAtMs: task.completedAtMs,
    deletedAtMs: task.deletedAtMs,
    deadlineAtMs: task.expiresAtMs,
    // The clocks of two machines may differ a little, but an age is never negative.
    ageMs: Math.max(0, (task.completedAtMs ?? nowMs) - task.createdAtMs),
    error: task.error,
    estimateMicros: task.holdMicros,
    heldMicros: ended ? ZERO_MICROS : task.holdMicros,
    chargedMicros: ended ? (task.chargedMicros ?? ZERO_MICROS) : null,
    refundedMicros: task.refundedMicros,
    callback: standingOf(task),
    setAsideAtMs: ended ? null : task.setAsideAtMs,
    withheldAtMs: task.withheldAtMs,
  }
}

/** A task that was never handed over has one attempt: the task itself. */
export function reportAttempts(
  task: TaskForOperator,
  kept: readonly TaskAttempt[],
  secrets: Secrets,
): AttemptReport[] {
  const ticket = ticketOf(task, secrets) ?? null
  if (kept.length === 0) return [onlyAttempt(task, ticket)]
  return kept.map(({ encryptedTicket, ...attempt }) => ({
    ...attempt,
    ticket:
      attempt.number === task.attempt ? ticket : (ticketOf({ ...task, encryptedTicket }, secrets) ?? null),
  }))
}

function onlyAttempt(task: TaskForOperator, ticket: string | null): AttemptReport {
  const { status } = task
  return {
    number: 1,
    provider: task.provider,
    model: task.servedModel,
    state: status === 'succeeded' || status === 'failed' || status === 'cancelled' ? status : 'open',
    ticket,
    beganAtMs: task.createdAtMs,
    endedAtMs: task.completedAtMs,
    reason: task.error?.code ?? null,
    message: task.error?.message ?? null,
    vendorCostMicros: null,
  }
}

function standingOf({ hasCallbackUrl, owesCallback, callbackState }: TaskForOperator): CallbackStanding {
  if (callbackState !== null) return callbackState
  if (!hasCallbackUrl) return 'none'
  return owesCallback ? 'after-end' : 'off'
}
