import { TEXT_LENGTH_MAX } from '../../../app/video/create-body/bounds.ts'
import { VIDEO_SIZES } from '../../../domain/billing/estimate-video-tokens.ts'
import { type JsonSchema, json, NOT_BLANK } from '../../../domain/json/json-schema.ts'
import { CreateTaskBody, MEDIA_URL } from '../../operations/create-task/body-schema.ts'

/** The range from 4 to 9,999 is one that a short pattern can express. */
export const SECONDS_PATTERN = '^(?:[4-9]|[1-9]\\d{1,3})$'
export const SECONDS = { minimum: 4, maximum: 9_999 }

const { callback_url, quote_id, metadata } = CreateTaskBody.properties ?? {}

/** A form has texts only. */
const FLAG = { anyOf: [json.boolean(), json.oneOf(['true', 'false'])] }

/** Schema for the reference. `readVideo` checks the body, and a test compares both. */
export const CreateVideoBody = json.object(
  {
    prompt: json.string({ pattern: NOT_BLANK, maxLength: TEXT_LENGTH_MAX }),
    model: json.nullish(
      json.string({
        pattern: NOT_BLANK,
        description:
          'A video model of `GET /v1/models`. Left out: the one with the lowest `model_id` that this key may use.',
      }),
    ),
    seconds: json.nullish({
      anyOf: [json.string({ pattern: SECONDS_PATTERN }), json.integer(SECONDS)],
      description: 'Length in seconds. Left out: the vendor decides, usually 5.',
    }),
    size: json.nullish(
      json.oneOf([...VIDEO_SIZES.keys()], { description: 'Left out: the vendor decides, usually 1280x720.' }),
    ),
    input_reference: json.nullish({
      anyOf: [MEDIA_URL, json.object({ image_url: MEDIA_URL })],
      description:
        'An image that the video begins with or follows: a link, or `{"image_url": "..."}`. A form may have a file (PNG, JPEG or WebP, 16 MiB) where the operator keeps media, else 400. `file_id` is refused: use `POST /v1/video/assets`, and give `asset://<asset_id>`.',
    }),
    watermark: json.nullish({
      ...FLAG,
      description: 'A field beside the Videos API, as in `POST /v1/video/generations`.',
    }),
    return_last_frame: json.nullish({
      ...FLAG,
      description:
        'A field beside the Videos API: the link is in `content` of `GET /v1/video/generations/{task_id}`.',
    }),
    ...(callback_url && { callback_url }),
    ...(quote_id && { quote_id }),
    ...(metadata && { metadata }),
  },
  { examples: [{ prompt: 'A cat on a raft, at dusk', model: 'vendorA/gen-2.0', seconds: '5' }] },
)

const { input_reference: reference, prompt = json.string() } = CreateVideoBody.properties ?? {}

export const RemixVideoBody = json.object({ prompt }, { examples: [{ prompt: 'The same at dawn' }] })

/** A form can also have a file. */
export const CreateVideoForm: JsonSchema = {
  ...CreateVideoBody,
  properties: {
    ...CreateVideoBody.properties,
    input_reference: {
      ...reference,
      anyOf: [...(reference?.anyOf ?? []), json.string({ format: 'binary' })],
    },
  },
}

export const Video = json.object({
  id: json.string({ description: 'The id of the task, with `video_` in place of `task_`.' }),
  object: json.literal('video'),
  created_at: json.integer({ description: 'Unix seconds.' }),
  completed_at: json.nullable(json.integer(), { description: 'Unix seconds.' }),
  expires_at: json.nullable(json.integer(), {
    description: 'Unix seconds: 24 hours after the end, when the link behind the content may have expired.',
  }),
  model: json.string(),
  status: json.oneOf(['queued', 'in_progress', 'completed', 'failed'], {
    description: 'A cancelled video is `failed` with the code `cancelled`.',
  }),
  progress: json.integer({
    description: '0 while it waits, 50 while it is made, 100 when it is completed: vendors report no more.',
  }),
  prompt: json.nullable(json.string(), { description: 'Always null: prompts are not kept.' }),
  remixed_from_video_id: json.nullable(json.string(), { description: 'Always null.' }),
  seconds: json.string(),
  size: json.string({
    description: '`WxH`, or the resolution that was asked for where its size is not known.',
  }),
  error: json.nullable(
    json.object({
      code: json.string({
        description: 'A code such as `content_policy_violation`, `task_expired` or `cancelled`.',
      }),
      message: json.string(),
    }),
  ),
})
