import { SERVED_BY_HEADER } from '../../../app/text/contract/reply-sink.ts'
import { clientOperation } from '../../operation.ts'
import { parseTaskId } from '../../schema/parse-id.ts'
import { listTasks } from '../list-tasks/operation.ts'
import { taskJson } from './present-task.ts'
import { Task } from './task-schema.ts'

export const getTask = clientOperation('getTask', 'GET /v1/video/generations/:task_id', 'video', {
  isHot: true,
  summary: 'Get a video task',
  description:
    'The task in the latest state that its vendor reported in time. The vendor is not asked about a finished task whose files the gateway keeps. Ask about every 10 seconds until the status is `succeeded`, `failed` or `cancelled`. The header `x-sluice-served-by` names the model that makes it: the one you asked for, or one that stepped in for it.',
  example: { earlier: { operation: listTasks, query: '?limit=1', take: ['data', 0, 'id'] } },
  replies: {
    200: { description: 'The task.', schema: Task },
    404: { description: 'This API key has no such task.' },
    503: { description: 'The store is not available, or the gateway is busy.' },
  },
  async serve({ app }, request, reply) {
    const id = parseTaskId(request.params)
    const task = await app.getTask({ id, caller: request.caller })
    reply.header(SERVED_BY_HEADER, task.servedModel)
    reply.type('application/json; charset=utf-8')
    return taskJson(task)
  },
})
