import { json } from '../../../domain/json/json-schema.ts'
import { TASK_END } from '../../operations/get-task/task-schema.ts'
import { NATIVE_STATUSES } from './present-task.ts'

const { content } = TASK_END

export const NativeTask = json.object({
  id: json.string(),
  model: json.string(),
  status: json.oneOf(NATIVE_STATUSES),
  error: json.nullable(json.object({ code: json.string(), message: json.string() })),
  created_at: json.integer({ description: 'Unix seconds.' }),
  updated_at: json.integer({ description: 'Unix seconds.' }),
  content,
  seed: json.optional(json.integer()),
  resolution: json.optional(json.string()),
  ratio: json.optional(json.string()),
  duration: json.optional(json.integer()),
  framespersecond: json.optional(json.integer()),
  generate_audio: json.optional(json.boolean()),
  draft: json.optional(json.boolean()),
  service_tier: json.optional(json.string()),
  watermark: json.optional(json.boolean({ description: 'What was asked for.' })),
  return_last_frame: json.optional(json.boolean()),
  execution_expires_after: json.optional(json.integer()),
  usage: json.optional(
    json.object(
      { completion_tokens: json.integer(), total_tokens: json.integer() },
      { description: 'Once the vendor has measured the video.' },
    ),
  ),
})
