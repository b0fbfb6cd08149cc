import { unixSeconds } from '../../../app/views/times.ts'
import { VIDEO_PATH } from '../../../domain/catalog/model-endpoints.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { hasEnded, type TaskSummary, VISIBLE_STATUSES } from '../../../domain/video/task.ts'
import { clientOperation } from '../../operation.ts'
import { pageSchema, parsePageQuery, presentPage } from '../../schema/page-query.ts'

const Item = json.object({
  id: json.string(),
  object: json.literal('video.generation.task'),
  created: json.integer({ description: 'Unix seconds' }),
  model: json.string(),
  status: json.oneOf(VISIBLE_STATUSES),
  completed_at: json.optional(json.integer({ description: 'Unix seconds; present once the task has ended' })),
})

export const listTasks = clientOperation('listTasks', `GET ${VIDEO_PATH}`, 'video', {
  isHot: true,
  summary: 'List video tasks',
  description:
    'The tasks of this API key that are not deleted, newest first, with the status that the gateway stored last: the vendor is not asked.',
  query: {
    limit: {
      schema: json.integer({ minimum: 0, default: 20 }),
      description: 'Tasks on a page. 0 means 20; more than 100 is taken as 100.',
    },
    cursor: { schema: json.string(), description: '`next_cursor` of the page before.' },
  },
  replies: {
    200: { description: 'One page of tasks.', schema: pageSchema(Item) },
    400: { description: 'The limit or the cursor is not valid.' },
  },
  async serve({ app }, request) {
    const query = parsePageQuery(request.query, { limitDefault: 20, limitMax: 100 })
    const { tasks, nextCursor } = await app.listTasks({ ...query, caller: request.caller })
    return presentPage(tasks.map(presentTask), nextCursor)
  },
})

function presentTask({ id, model, status, createdAtMs, completedAtMs }: TaskSummary): object {
  const item = { id, object: 'video.generation.task', created: unixSeconds(createdAtMs), model, status }
  if (completedAtMs === null || !hasEnded(status)) return item
  return { ...item, completed_at: unixSeconds(completedAtMs) }
}
