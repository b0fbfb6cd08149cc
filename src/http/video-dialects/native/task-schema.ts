import { json } from '../../../domain/json/json-schema.ts'
import { TASK_END } from '../../operations/get-task/task-schema.ts'
import { NATIVE_STATUSES, REPEATED } from './present-task.ts'

const { content } = TASK_END

export const NativeTask = json.object({
  id: json.string(),
  model: json.string(),
  status: json.oneOf(NATIVE_STATUSES),
  error: json.nullable(json.object({ code: json.string(), message: json.string() })),
  created_at: json.integer({ description: 'Unix seconds.' }),
  updated_at: json.integer({ description: 'Unix seconds.' }),
  content,
  ...REPEATED,
  usage: json.optional(
    json.object(
      { completion_tokens: json.integer(), total_tokens: json.integer() },
      { description: 'The tokens of the video. Present once the vendor has measured it.' },
    ),
  ),
})
