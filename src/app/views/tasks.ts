import type { CallbackAttempt } from '../../ports/callbacks.ts'
import type { SeenSnapshot } from '../../ports/operator-pages.ts'
import type { AttemptReport, TaskReport } from '../video/task-report.ts'
import { presentTime, timeOrNull } from './times.ts'

export function taskJson(task: TaskReport) {
  return {
    id: task.id,
    organization_id: task.organizationId,
    user_id: task.userId,
    key_id: task.keyId,
    model: task.model,
    provider: task.provider,
    served_by: task.servedModel,
    status: task.status,
    upstream_id: task.ticket,
    created_at: presentTime(task.createdAtMs),
    updated_at: timeOrNull(task.updatedAtMs),
    completed_at: timeOrNull(task.completedAtMs),
    deleted_at: timeOrNull(task.deletedAtMs),
    deadline: presentTime(task.deadlineAtMs),
    age_seconds: Math.floor(task.ageMs / 1_000),
    error: task.error,
    estimate_micros: task.estimateMicros,
    held_micros: task.heldMicros,
    charged_micros: task.chargedMicros,
    refunded_micros: task.refundedMicros,
    callback: task.callback,
    set_aside_at: timeOrNull(task.setAsideAtMs),
    withheld_at: timeOrNull(task.withheldAtMs),
    ...(task.vendorAttempts === undefined
      ? {}
      : { vendor_attempts: task.vendorAttempts.map(vendorAttemptJson) }),
  }
}

function vendorAttemptJson(attempt: AttemptReport) {
  return {
    attempt: attempt.number,
    provider: attempt.provider,
    model: attempt.model,
    state: attempt.state,
    upstream_id: attempt.ticket,
    sent_at: timeOrNull(attempt.beganAtMs),
    ended_at: timeOrNull(attempt.endedAtMs),
    reason: attempt.reason,
    message: attempt.message,
    vendor_cost_micros: attempt.vendorCostMicros,
  }
}

export function attemptJson({ taskId, attempt, atMs, status, error }: CallbackAttempt) {
  return { task_id: taskId, attempt, at: presentTime(atMs), status, error }
}

export function snapshotJson({ status, atMs, error, measured }: SeenSnapshot) {
  return {
    status,
    at: presentTime(atMs),
    error,
    completion_tokens: measured.completionTokens ?? null,
    credits: measured.credits ?? null,
    seconds: measured.seconds ?? null,
  }
}
