import { VISIBLE_STATUSES } from '../../domain/video/task.ts'
import { json } from '../json-schema.ts'
import type { Operation } from '../operation.ts'
import { parseListQuery } from './parse-list-query.ts'
import { presentTaskPage } from './present-task-page.ts'

const Item = json.object({
  id: json.string(),
  object: json.literal('video.generation.task'),
  created: json.integer({ description: 'Unix seconds' }),
  model: json.string(),
  status: json.oneOf(VISIBLE_STATUSES),
  completed_at: json.optional(json.integer({ description: 'Unix seconds; only when the task has ended' })),
})

export const listTasks: Operation = {
  id: 'listTasks',
  method: 'GET',
  path: '/v1/video/generations',
  area: 'video',
  access: 'api-key',
  summary: 'List video tasks',
  description: 'The tasks of this API key that are not deleted, newest first, as they were last seen.',
  query: {
    limit: {
      schema: json.integer({ minimum: 0, default: 20 }),
      description: 'Tasks on a page. 0 means 20; more than 100 is taken as 100.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: {
      description: 'One page of tasks.',
      schema: json.object({
        object: json.literal('list'),
        data: json.array(Item),
        has_more: json.boolean(),
        next_cursor: json.string({ description: 'Empty on the last page.' }),
      }),
    },
    400: { description: 'The limit or the cursor is not valid.' },
  },
  handle:
    ({ app }) =>
    async (request) => {
      const query = parseListQuery(request.query)
      const page = await app.listTasks({ ...query, caller: request.caller })
      return presentTaskPage(page)
    },
}
