import { ENTRY } from '../../../app/views/ledger.ts'
import {
  ATTEMPT,
  CLIP,
  LISTED_ATTEMPT,
  SNAPSHOT,
  TASK,
  TASK_STATUSES,
  TEST_DELIVERY,
  taskJson,
  VENDOR_ATTEMPT,
} from '../../../app/views/tasks.ts'
import { CALLBACK_STATES } from '../../../domain/callbacks/callback-retry.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminList, adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { field, momentIn } from './fields.ts'

export const tasks: readonly Operation[] = [
  adminList('adminListTasks', '/tasks', {
    summary: 'List video tasks',
    query: {
      ...ORGANIZATION_FILTER,
      status: { schema: json.oneOf(TASK_STATUSES), description: 'Only tasks in this status.' },
      model: { schema: field.word(), description: 'Only tasks of this model, by the name that clients use.' },
      group_id: {
        schema: field.id('group'),
        description: 'Only tasks that show the verified person of this group.',
      },
      created_from: {
        schema: field.moment(),
        description: 'Only tasks that were created at this moment or later.',
      },
      created_to: { schema: field.moment(), description: 'Only tasks that were created before this moment.' },
      stuck: {
        schema: json.oneOf(['true', 'false']),
        description:
          '`true`: only tasks that were set aside, and open tasks whose vendor reported nothing for 15 minutes.',
      },
    },
    item: TASK.schema,
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    page: (query, { operator, query: given }) =>
      operator.listTasks({
        ...query,
        status: given.oneOf('status', TASK_STATUSES),
        ...given.named('model', 'group_id'),
        fromMs: momentIn(given, 'created_from'),
        toMs: momentIn(given, 'created_to'),
        isStuck: given.textOr('stuck', 'false') === 'true',
      }),
    positionOf: ({ id }) => id,
    view: taskJson,
  }),
  adminOperation('adminGetTask', 'GET /tasks/:id', {
    summary: 'Show a video task with its whole story',
    description:
      'The task with the attempts of each vendor, the changes that the vendor reported, its ledger entries, the attempts of its callback and the copies of its files. The vendor is not asked.',
    reply: json.object({
      ...TASK.members,
      vendor_attempts: json.array(VENDOR_ATTEMPT.schema),
      snapshots: json.array(SNAPSHOT.schema),
      entries: json.array(ENTRY.schema),
      attempts: json.array(ATTEMPT.schema),
      files: json.array(CLIP.schema),
    }),
    async run({ operator, id }) {
      const { task, snapshots, entries, attempts, clips } = await operator.showTaskHistory(id)
      return {
        ...taskJson(task),
        snapshots: snapshots.map(SNAPSHOT.present),
        entries: entries.map(ENTRY.present),
        attempts: attempts.map(ATTEMPT.present),
        files: clips.map(CLIP.present),
      }
    },
  }),
  adminOperation('adminResumeTask', 'POST /tasks/:id/resume', {
    summary: 'Make a task due again that was set aside',
    reply: json.object({ task_id: field.text() }),
    run: async ({ operator, id }) => ({ task_id: await operator.resumeTask(id) }),
  }),
  adminOperation('adminCancelTask', 'POST /tasks/:id/cancel', {
    summary: 'Cancel a video task that has not ended',
    description:
      'The vendor is asked to delete it, as for `DELETE /v1/video/generations/{task_id}`. Its money is released, its callback is sent, and its owner finds it as `cancelled`.',
    reply: TASK.schema,
    errors: {
      400: 'It has ended, the vendor is working on it, or tasks of its model cannot be deleted; or the `Idempotency-Key` is not allowed.',
      503: 'The vendor does not answer; nothing was changed.',
    },
    run: async ({ operator, id }) => taskJson(await operator.cancelTask(id)),
  }),
  adminList('adminListCallbacks', '/callbacks', {
    summary: 'List attempts to deliver callbacks',
    query: {
      task_id: {
        schema: field.id('task'),
        description: 'Only callbacks of this task, by the id of the task or of the request that created it.',
      },
      state: {
        schema: json.oneOf(CALLBACK_STATES),
        description: 'Only callbacks in this state, ordered by task, the newest first.',
      },
    },
    isDated: true,
    cursor: json.string({ pattern: '^(?:\\d{1,15}\\.[\\w-]{1,64}\\.\\d{1,6})?$' }),
    item: LISTED_ATTEMPT.schema,
    page: ({ after, limit, fromMs, toMs }, { operator, query }) =>
      operator.pages.attempts({
        fromMs,
        toMs,
        taskId: query.textOr('task_id', undefined),
        state: query.oneOf('state', CALLBACK_STATES),
        after: positionIn(after),
        limit,
      }),
    positionOf: ({ atMs, taskId, attempt }) => `${atMs}.${taskId}.${attempt}`,
    view: LISTED_ATTEMPT.present,
  }),
  adminOperation('adminResendCallback', 'POST /callbacks/:id/resend', {
    summary: 'Send the callback of an ended task again',
    description: 'The callback of the task keeps its id and has all its attempts again.',
    reply: json.object({ task_id: field.text(), callback: json.literal('pending') }),
    run: async ({ operator, id }) => ({ task_id: await operator.resendCallback(id), callback: 'pending' }),
  }),
  adminAnswer('adminTestCallback', 'POST /callbacks/test', TEST_DELIVERY, {
    summary: 'Send a made-up callback to an address',
    description:
      'Sends one callback, signed with the secret of the organization and guarded like real ones. When no answer comes, `error` is a short word such as `forbidden`, `refused` or `timeout-total`.',
    body: json.object({
      organization_id: field.id('org'),
      url: json.string({
        maxLength: 2048,
        pattern: '^https://[^\\s\\p{Cc}]+$',
        description: 'An HTTPS address.',
        examples: ['https://client.example/hook'],
      }),
    }),
    errors: { 404: 'There is no such organization, or `admin endpoints disabled`.' },
    run: ({ operator, body }) =>
      operator.testCallback({ organizationId: body.text('organization_id'), url: body.text('url') }),
  }),
]

function positionIn(cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [atMs, taskId = '', attempt] = cursor.split('.')
  return { atMs: Number(atMs), taskId, attempt: Number(attempt) }
}
