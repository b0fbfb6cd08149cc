import { CREATE_BODY_BYTES_MAX } from '../../../app/video/create-body/bounds.ts'
import { parseCreateTask, readQuoteId } from '../../../app/video/create-body/parse-create-task.ts'
import { VIDEO_PATH } from '../../../domain/catalog/model-endpoints.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { hasEnded } from '../../../domain/video/task.ts'
import type { TaskView } from '../../../domain/video/task-view.ts'
import { clientOperation } from '../../operation.ts'
import {
  CREATE_HEADERS,
  IDEMPOTENCY_HEADER,
  modelTools,
  nameIgnored,
  REFUSED_ORDERS,
  takeOrder,
} from '../../video-dialects/take-order.ts'
import { newTaskJson, taskJson } from '../get-task/present-task.ts'
import { TASK_END, TASK_HEAD } from '../get-task/task-schema.ts'
import { CreateTaskBody } from './body-schema.ts'

export const createTask = clientOperation('createTask', `POST ${VIDEO_PATH}`, 'video', {
  isHot: true,
  summary: 'Create a video task',
  description:
    'Answers as soon as the vendor has taken the task. With an `Idempotency-Key` the request can be repeated: for 24 hours the same key with the same body makes no other task and answers with the first one, as it is then. Of a task that was deleted since, only its head is shown, with its last status.',
  headers: IDEMPOTENCY_HEADER,
  body: { schema: CreateTaskBody, limitBytes: CREATE_BODY_BYTES_MAX, keepsBytes: true },
  replies: {
    200: {
      description: 'The task, usually `queued`. Result fields are present only after the task has finished.',
      schema: json.object({ ...TASK_HEAD, ...TASK_END }),
      headers: CREATE_HEADERS,
    },
    ...REFUSED_ORDERS,
  },
  async serve({ app }, request, reply) {
    const { body, bodyBytes } = request
    const read = () => ({
      order: parseCreateTask(body, bodyBytes, modelTools(request, app)),
      quoteId: readQuoteId(body),
    })
    const task = await takeOrder(read, { request, reply }, app)
    nameIgnored(CreateTaskBody, { request, reply, model: task.model }, app)
    reply.type('application/json; charset=utf-8')
    return presentNewTask(task)
  },
})

/** An ended task is shown whole, because its client stops asking. A deleted one is shown like a new task. */
function presentNewTask(task: TaskView): string {
  return hasEnded(task.status) && task.deletedAtMs === null ? taskJson(task) : newTaskJson(task)
}
