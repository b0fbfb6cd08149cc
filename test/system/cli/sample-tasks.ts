import type { TaskReport } from '../../../src/app/video/task-report.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { CallbackAttempt } from '../../../src/ports/callbacks.ts'

const CREATED_AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5)

export const RUNNING_TASK: TaskReport = {
  id: 'task_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  keyId: 'key_1',
  model: 'vendorA/gen-2.0',
  provider: 'vendorA',
  servedModel: 'vendorA/gen-2.0',
  status: 'running',
  hasEnded: false,
  ticket: 'cgt-1',
  createdAtMs: CREATED_AT_MS,
  updatedAtMs: CREATED_AT_MS + 4_000,
  completedAtMs: null,
  deletedAtMs: null,
  deadlineAtMs: CREATED_AT_MS + 172_800_000,
  ageMs: 65_400,
  error: null,
  estimateMicros: micros(762_300),
  heldMicros: micros(762_300),
  chargedMicros: null,
  refundedMicros: micros(0),
  callback: 'after-end',
  setAsideAtMs: null,
  withheldAtMs: null,
}

export const FAILED_TASK: TaskReport = {
  ...RUNNING_TASK,
  id: 'task_2',
  model: 'vendorB/gen-v4-std',
  provider: 'vendorB',
  servedModel: 'vendorB/gen-v4-std',
  status: 'failed',
  hasEnded: true,
  ticket: null,
  completedAtMs: CREATED_AT_MS + 5_000,
  ageMs: 5_000,
  // A vendor's text may contain anything, also control sequences of a terminal.
  error: { code: 'upstream_error', message: 'It \x1b[31mbroke.' },
  heldMicros: micros(0),
  chargedMicros: micros(0),
  callback: 'given-up',
}

export const REFUNDED_TASK: TaskReport = {
  ...FAILED_TASK,
  id: 'task_3',
  status: 'succeeded',
  ticket: 'cgt-3',
  error: null,
  chargedMicros: micros(540_000),
  refundedMicros: micros(250_000),
  callback: 'delivered',
}

export const ATTEMPTS: CallbackAttempt[] = [
  { taskId: 'task_2', attempt: 1, atMs: CREATED_AT_MS + 5_000, status: null, error: 'timeout' },
  { taskId: 'task_2', attempt: 2, atMs: CREATED_AT_MS + 6_000, status: 404, error: null },
]
