import { json } from '../../domain/json/json-schema.ts'
import { ATTEMPT_STATES } from '../../domain/video/hand-over.ts'
import { VISIBLE_STATUSES } from '../../domain/video/task.ts'
import type { StoredClip } from '../../ports/clips.ts'
import type { SeenSnapshot } from '../../ports/operator-pages.ts'
import type { TaskReport } from '../video/task-report.ts'
import { answer, shown } from './present.ts'

export const TASK_STATUSES = ['submitting', ...VISIBLE_STATUSES] as const

export const TASK = answer(
  {
    id: shown.text(),
    organization_id: shown.text(),
    user_id: shown.text(),
    key_id: shown.text(),
    model: shown.text(),
    provider: shown.text(),
    served_by: shown.text(),
    status: json.oneOf(TASK_STATUSES),
    upstream_id: shown.textOrNull(),
    created_at: shown.time(),
    updated_at: shown.timeOrNull(),
    completed_at: shown.timeOrNull(),
    deleted_at: shown.timeOrNull(),
    deadline: shown.time(),
    age_seconds: shown.count(),
    error: json.nullable(json.object({ code: shown.text(), message: shown.text() })),
    estimate_micros: shown.micros(),
    held_micros: shown.micros(),
    charged_micros: shown.countOrNull(),
    refunded_micros: shown.micros(),
    callback: json.oneOf(['none', 'off', 'after-end', 'pending', 'delivered', 'given-up']),
    set_aside_at: shown.timeOrNull(),
    withheld_at: shown.timeOrNull(),
  },
  { served_by: 'servedModel', upstream_id: 'ticket', deadline: 'deadlineAt' },
)

export const VENDOR_ATTEMPT = answer(
  {
    attempt: shown.count(),
    provider: shown.text(),
    model: shown.text(),
    state: json.oneOf(ATTEMPT_STATES),
    upstream_id: shown.textOrNull(),
    sent_at: shown.timeOrNull(),
    ended_at: shown.timeOrNull(),
    reason: shown.textOrNull(),
    message: shown.textOrNull(),
    vendor_cost_micros: shown.countOrNull(),
  },
  { attempt: 'number', upstream_id: 'ticket', sent_at: 'beganAt' },
)

export function taskJson({ vendorAttempts, ...task }: TaskReport) {
  return {
    ...TASK.present({ ...task, ageSeconds: Math.floor(task.ageMs / 1_000) }),
    ...(vendorAttempts && { vendor_attempts: vendorAttempts.map(VENDOR_ATTEMPT.present) }),
  }
}

export const ATTEMPT = answer({
  task_id: shown.text(),
  attempt: shown.count(),
  at: shown.time(),
  status: shown.countOrNull(),
  error: shown.textOrNull(),
})

export const LISTED_ATTEMPT = answer({
  ...ATTEMPT.members,
  organization_id: shown.text(),
  host: shown.textOrNull(),
})

export const TEST_DELIVERY = answer({
  id: json.string({ description: '`webhook-id` of the message.' }),
  status: shown.countOrNull(),
  error: shown.textOrNull(),
  duration_ms: shown.count(),
})

export const SNAPSHOT = answer({
  status: shown.text(),
  at: shown.time(),
  error: json.nullable(json.object({ code: shown.text(), message: shown.text() })),
  completion_tokens: json.nullable(json.number()),
  credits: json.nullable(json.number()),
  seconds: json.nullable(json.number()),
}).from(({ measured, ...snapshot }: SeenSnapshot) => {
  const { completionTokens = null, credits = null, seconds = null } = measured
  return { ...snapshot, completionTokens, credits, seconds }
})

export const CLIP = answer({
  kind: shown.text(),
  state: shown.text(),
  reason: shown.textOrNull(),
  bytes: shown.countOrNull(),
  sha256: shown.textOrNull(),
  kept_until: shown.timeOrNull(),
}).from(({ facts, ...clip }: StoredClip) => ({
  ...clip,
  bytes: facts?.bytes ?? null,
  sha256: facts?.sha256 ?? null,
}))
