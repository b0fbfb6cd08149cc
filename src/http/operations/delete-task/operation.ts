import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { parseTaskId } from '../../schema/parse-id.ts'
import { createTask } from '../create-task/operation.ts'

export const deleteTask = clientOperation('deleteTask', 'DELETE /v1/video/generations/:task_id', 'video', {
  summary: 'Delete a video task',
  description:
    'Family A only. A task that the vendor has not started is cancelled and costs nothing; Get still shows it as `cancelled`. An ended task is settled, then deleted.',
  example: { earlier: { operation: createTask, take: ['id'] } },
  replies: {
    200: {
      description: 'The task is deleted and no longer listed.',
      schema: json.object({
        id: json.string(),
        object: json.literal('video.generation.task'),
        deleted: json.literal(true),
      }),
    },
    400: { description: 'Tasks of family B and tasks that the vendor has started cannot be deleted.' },
    404: { description: 'This API key has no such task, or it was deleted before.' },
    503: {
      description: 'The vendor or the store does not answer, or the gateway is busy; nothing was changed.',
    },
  },
  async serve({ app }, request) {
    const id = parseTaskId(request.params)
    await app.deleteTask({ id, caller: request.caller })
    return { id, object: 'video.generation.task', deleted: true }
  },
})
