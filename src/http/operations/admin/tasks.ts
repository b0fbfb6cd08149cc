import { entryJson } from '../../../app/views/ledger.ts'
import { attemptJson, snapshotJson, taskJson } from '../../../app/views/tasks.ts'
import { CALLBACK_STATES } from '../../../domain/callbacks/callback-retry.ts'
import { ATTEMPT_STATES } from '../../../domain/video/hand-over.ts'
import { VISIBLE_STATUSES } from '../../../domain/video/task.ts'
import { adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { json } from '../../schema/json-schema.ts'
import type { Fields } from '../../schema/read-by-schema.ts'
import { field, momentOf } from './fields.ts'
import { ENTRY } from './ledger.ts'

const STATUSES = ['submitting', ...VISIBLE_STATUSES] as const

const TASK = {
  id: field.text(),
  organization_id: field.text(),
  user_id: field.text(),
  key_id: field.text(),
  model: field.text(),
  provider: field.text(),
  served_by: field.text(),
  status: json.oneOf(STATUSES),
  upstream_id: field.textOrNull(),
  created_at: field.time(),
  updated_at: field.timeOrNull(),
  completed_at: field.timeOrNull(),
  deleted_at: field.timeOrNull(),
  deadline: field.time(),
  age_seconds: field.count(),
  error: json.nullable(json.object({ code: field.text(), message: field.text() })),
  estimate_micros: field.micros(),
  held_micros: field.micros(),
  charged_micros: field.countOrNull(),
  refunded_micros: field.micros(),
  callback: json.oneOf(['none', 'off', 'after-end', 'pending', 'delivered', 'given-up']),
  set_aside_at: field.timeOrNull(),
  withheld_at: field.timeOrNull(),
}

const SNAPSHOT = json.object({
  status: field.text(),
  at: field.time(),
  error: json.nullable(json.object({ code: field.text(), message: field.text() })),
  completion_tokens: json.nullable(json.number()),
  credits: json.nullable(json.number()),
  seconds: json.nullable(json.number()),
})

const VENDOR_ATTEMPT = json.object({
  attempt: field.count(),
  provider: field.text(),
  model: field.text(),
  state: json.oneOf(ATTEMPT_STATES),
  upstream_id: field.textOrNull(),
  sent_at: field.timeOrNull(),
  ended_at: field.timeOrNull(),
  reason: field.textOrNull(),
  message: field.textOrNull(),
  vendor_cost_micros: field.countOrNull(),
})

const ATTEMPT = json.object({
  task_id: field.text(),
  attempt: field.count(),
  at: field.time(),
  status: field.countOrNull(),
  error: field.textOrNull(),
})

export const tasks: readonly Operation[] = [
  adminList({
    id: 'adminListTasks',
    path: '/tasks',
    summary: 'List video tasks',
    query: {
      ...ORGANIZATION_FILTER,
      status: { schema: json.oneOf(STATUSES), description: 'Only tasks in this status.' },
      model: { schema: field.word(), description: 'Only of this model, as clients name it.' },
      group_id: {
        schema: field.id('group'),
        description: 'Only tasks that show the verified person of this group.',
      },
      created_from: { schema: field.moment(), description: 'Only tasks that were made then or later.' },
      created_to: { schema: field.moment(), description: 'Only tasks that were made before then.' },
      stuck: {
        schema: json.oneOf(['true', 'false']),
        description:
          '`true`: only tasks that have not ended and of which nothing was heard for 15 minutes, or that were set aside.',
      },
    },
    item: json.object(TASK),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    page: (query, { operator, query: given }) =>
      operator.listTasks({
        ...query,
        status: given.oneOf('status', STATUSES),
        model: given.textOr('model', undefined),
        groupId: given.textOr('group_id', undefined),
        createdFromMs: momentIn(given, 'created_from'),
        createdToMs: momentIn(given, 'created_to'),
        isStuck: given.textOr('stuck', 'false') === 'true',
      }),
    positionOf: ({ id }) => id,
    view: taskJson,
  }),
  adminOperation({
    id: 'adminGetTask',
    method: 'GET',
    path: '/tasks/:id',
    summary: 'Show a video task with its whole story',
    description:
      'With each attempt of a vendor to make it, what the vendor reported when it moved, the entries of its money and the attempts of its callback. The vendor is not asked.',
    reply: json.object({
      ...TASK,
      vendor_attempts: json.array(VENDOR_ATTEMPT),
      snapshots: json.array(SNAPSHOT),
      entries: json.array(ENTRY),
      attempts: json.array(ATTEMPT),
    }),
    async run({ operator, id }) {
      const { task, snapshots, entries, attempts } = await operator.showTaskHistory(id)
      return {
        ...taskJson(task),
        snapshots: snapshots.map(snapshotJson),
        entries: entries.map(entryJson),
        attempts: attempts.map(attemptJson),
      }
    },
  }),
  adminOperation({
    id: 'adminResumeTask',
    method: 'POST',
    path: '/tasks/:id/resume',
    summary: 'Make a task due again that was set aside',
    reply: json.object({ task_id: field.text() }),
    run: async ({ operator, id }) => ({ task_id: await operator.resumeTask(id) }),
  }),
  adminOperation({
    id: 'adminCancelTask',
    method: 'POST',
    path: '/tasks/:id/cancel',
    summary: 'Cancel a video task that has not ended',
    description:
      'The vendor is asked to delete it, as for `DELETE /v1/video/generations/{task_id}`. Its money is released, its callback is sent, and its owner finds it as `cancelled`.',
    reply: json.object(TASK),
    errors: {
      400: 'It has ended, the vendor is working on it, or tasks of its model cannot be deleted; or the `Idempotency-Key` is not allowed.',
      503: 'The vendor does not answer; nothing was changed.',
    },
    run: async ({ operator, id }) => taskJson(await operator.cancelTask(id)),
  }),
  adminList({
    id: 'adminListCallbacks',
    path: '/callbacks',
    summary: 'List attempts to deliver callbacks',
    query: {
      task_id: {
        schema: field.id('task'),
        description: 'Only of this task, by its id or that of the request that made it.',
      },
      state: {
        schema: json.oneOf(CALLBACK_STATES),
        description: 'Only of callbacks in this state, ordered by task, the newest first.',
      },
    },
    cursor: json.string({ pattern: '^(?:\\d{1,15}\\.[\\w-]{1,64}\\.\\d{1,6})?$' }),
    item: ATTEMPT,
    page: ({ after, limit }, { operator, query }) =>
      operator.pages.attempts({
        taskId: query.textOr('task_id', undefined),
        state: query.oneOf('state', CALLBACK_STATES),
        after: positionIn(after),
        limit,
      }),
    positionOf: ({ atMs, taskId, attempt }) => `${atMs}.${taskId}.${attempt}`,
    view: attemptJson,
  }),
  adminOperation({
    id: 'adminResendCallback',
    method: 'POST',
    path: '/callbacks/:id/resend',
    summary: 'Send the callback of an ended task again',
    description: 'By the id of the task. It keeps its id and gets three more attempts.',
    reply: json.object({ task_id: field.text(), callback: json.literal('pending') }),
    run: async ({ operator, id }) => ({ task_id: await operator.resendCallback(id), callback: 'pending' }),
  }),
  adminOperation({
    id: 'adminTestCallback',
    method: 'POST',
    path: '/callbacks/test',
    summary: 'Send a made-up callback to an address',
    description:
      'Once, signed with the secret of the organization and guarded like real ones. No answer is a result too: `error` is then a short word such as `forbidden`, `refused` or `timeout-total`.',
    body: json.object({
      organization_id: field.id('org'),
      url: json.string({
        maxLength: 2048,
        pattern: '^https://[^\\s\\p{Cc}]+$',
        description: 'An HTTPS address.',
        examples: ['https://client.example/hook'],
      }),
    }),
    reply: json.object({
      id: json.string({ description: '`webhook-id` of the message.' }),
      status: field.countOrNull(),
      error: field.textOrNull(),
      duration_ms: field.count(),
    }),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    async run({ operator, body }) {
      const command = { organizationId: body.text('organization_id'), url: body.text('url') }
      const { id, status, error, durationMs } = await operator.testCallback(command)
      return { id, status, error, duration_ms: durationMs }
    },
  }),
]

function momentIn(given: Fields, name: string): number | undefined {
  return given.has(name) ? momentOf(given.text(name), name) : undefined
}

function positionIn(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [atMs, taskId = '', attempt] = cursor.split('.')
  return { atMs: Number(atMs), taskId, attempt: Number(attempt) }
}
