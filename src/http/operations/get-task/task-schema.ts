import { json } from '../../../domain/json/json-schema.ts'
import { VISIBLE_STATUSES } from '../../../domain/video/task.ts'

/** Fields of every form of a task. */
export const TASK_HEAD = {
  id: json.string({ description: 'The `task_id` of the other calls.' }),
  object: json.literal('video.generation.task'),
  created: json.integer({ description: 'Unix seconds.' }),
  model: json.string(),
  status: json.oneOf(VISIBLE_STATUSES, {
    description: 'A task whose status is one of the last three has ended, and its status never changes.',
  }),
  metadata: json.object({}, { description: 'The metadata of the create call, else an empty object.' }),
}

const completedAt = json.integer({ description: 'Unix seconds; present once the task has ended.' })

export const TASK_END = {
  completed_at: json.optional(completedAt),
  content: json.optional(
    json.object(
      {
        video_url: json.optional(
          json.string({
            description: 'A link to the video, typically valid for 24 hours. Every Get gives a fresh one.',
          }),
        ),
        last_frame_url: json.optional(
          json.string({ description: 'A link to the last picture, where `return_last_frame` was set.' }),
        ),
        withheld: json.optional(
          json.string({
            description:
              'Replaces the link: `consent_revoked` when a person in the video revoked the consent before the video was finished.',
          }),
        ),
      },
      { description: 'The files that the vendor made; present only when the task succeeded.' },
    ),
  ),
  error: json.optional(
    json.object(
      {
        code: json.string({ description: 'A code such as `content_policy_violation` or `task_expired`.' }),
        message: json.string(),
        type: json.literal('video_generation_error'),
        param: json.nullable(json.string()),
      },
      { description: 'The reason; present only when the task failed.' },
    ),
  ),
}

export const Task = json.object({
  ...TASK_HEAD,
  updated_at: json.optional(
    json.integer({
      description: 'Unix seconds; present once the vendor has reported the task after the create call.',
    }),
  ),
  ...TASK_END,
})
