import { expect, test } from 'vitest'
import { createSecrets } from '../../adapters/system/secrets.ts'
import { micros } from '../../domain/billing/micros.ts'
import type { TaskForOperator } from '../../ports/tasks.ts'
import { encryptTicket } from './encrypted.ts'
import { listTasksForOperator } from './list-tasks-for-operator.ts'
import { showTask } from './show-task.ts'
import { reportTask } from './task-report.ts'

const secrets = createSecrets('s'.repeat(32))
const NOW_MS = 1_700_000_010_000
const clock = { nowMs: () => NOW_MS, monotonicMs: () => 0 }

const TASK: TaskForOperator = {
  id: 'task_1',
  organizationId: 'org_1',
  userId: 'usr_1',
  keyId: 'key_1',
  model: 'vendorA/gen-2.0',
  provider: 'vendorA',
  attempt: 1,
  attemptAtMs: null,
  servedModel: 'vendorA/gen-2.0',
  standIns: [],
  status: 'running',
  encryptedTicket: encryptTicket('cgt-1', 'task_1', secrets),
  error: null,
  pricing: { unit: 'video_token', priceMicros: micros(7_000_000), estimatedTokens: 100_000 },
  hasCallbackUrl: false,
  setAsideAtMs: null,
  withheldAtMs: null,
  owesCallback: false,
  createdAtMs: 1_700_000_000_000,
  updatedAtMs: null,
  completedAtMs: null,
  deletedAtMs: null,
  expiresAtMs: 1_700_000_060_000,
  holdMicros: micros(700_000),
  chargedMicros: null,
  refundedMicros: micros(0),
  callbackState: null,
}

function report(part: Partial<TaskForOperator>) {
  return reportTask({ ...TASK, ...part }, { secrets, nowMs: NOW_MS })
}

test('the report of an open task has its hold, its age and the ticket of the vendor', () => {
  expect(report({})).toMatchObject({
    hasEnded: false,
    ticket: 'cgt-1',
    ageMs: 10_000,
    deadlineAtMs: 1_700_000_060_000,
    estimateMicros: 700_000,
    heldMicros: 700_000,
    chargedMicros: null,
  })
})

test.each([
  ['succeeded', micros(650_000), 650_000],
  ['failed', null, 0],
  ['cancelled', null, 0],
] as const)('a %s task holds nothing and has its cost', (status, chargedMicros, cost) => {
  expect(report({ status, chargedMicros, completedAtMs: TASK.createdAtMs + 4_000 })).toMatchObject({
    hasEnded: true,
    ageMs: 4_000,
    estimateMicros: 700_000,
    heldMicros: 0,
    chargedMicros: cost,
  })
})

test('a missing ticket, or a ticket that is encrypted with another secret, is not shown', () => {
  expect(report({ encryptedTicket: null }).ticket).toBeNull()
  expect(report({ encryptedTicket: encryptTicket('cgt-1', 'task_2', secrets) }).ticket).toBeNull()
})

test('an age is never negative', () => {
  expect(report({ createdAtMs: NOW_MS + 500 }).ageMs).toBe(0)
})

test.each([
  [{}, 'none'],
  [{ hasCallbackUrl: true }, 'off'],
  [{ hasCallbackUrl: true, owesCallback: true }, 'after-end'],
  [{ hasCallbackUrl: true, owesCallback: true, callbackState: 'pending' }, 'pending'],
  [{ hasCallbackUrl: true, owesCallback: true, callbackState: 'delivered' }, 'delivered'],
  [{ hasCallbackUrl: true, owesCallback: true, callbackState: 'given-up' }, 'given-up'],
] as const)('the callback of %j is %s', (part, standing) => {
  expect(report(part).callback).toBe(standing)
})

test('an unknown task is an error that says how to list tasks', async () => {
  const show = showTask({
    tasks: { findForOperator: async () => undefined, listAttempts: async () => [] },
    secrets,
    clock,
  })
  await expect(show('task_9')).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no task task_9.',
    command: '"sluice task list" shows them.',
  })
})

test('an unknown organization is an error, not an empty list', async () => {
  const list = listTasksForOperator({
    tasks: { listForOperator: async ({ limit }) => Array.from({ length: limit }, () => TASK) },
    organizations: { find: async () => undefined },
    secrets,
    clock,
  })
  await expect(list({ organizationId: 'org_9', limit: 2 })).rejects.toMatchObject({ code: 'not_found' })
  const rows = await list({ organizationId: undefined, limit: 2 })
  expect(rows.map(({ ticket, ageMs }) => ({ ticket, ageMs }))).toEqual([
    { ticket: 'cgt-1', ageMs: 10_000 },
    { ticket: 'cgt-1', ageMs: 10_000 },
  ])
})
