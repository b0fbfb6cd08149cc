import {
  DURATION_SECONDS_MAX,
  DURATION_SECONDS_MIN,
  EXPIRES_AFTER_SECONDS_MAX,
  ITEMS_MAX,
  METADATA_BYTES_MAX,
  METADATA_MEMBERS_MAX,
  SHORT_TEXT_LENGTH_MAX,
  TEXT_LENGTH_MAX,
} from '../../../app/video/create-body/bounds.ts'
import { QUOTE_ID_LENGTH_MAX } from '../../../app/video/quote-id.ts'
import { EXACT, json, NOT_BLANK } from '../../../domain/json/json-schema.ts'
import { HTTPS_URL_PATTERN, URL_LENGTH_MAX } from '../../../domain/parse-https-url.ts'
import { RATIOS } from '../../../domain/video/request.ts'

export const MEDIA_URL = json.string({
  maxLength: URL_LENGTH_MAX,
  pattern: `^(?:asset://\\s*\\S|${HTTPS_URL_PATTERN}$)`,
  description: 'HTTPS, or `asset://<asset_id>`.',
})

const media = (what: string) => json.object({ url: MEDIA_URL }, { description: `For \`${what}\`.` })

const role = json.nullish(
  json.string({
    description:
      'The use of the item. Family A: `reference_image`, `reference_video`, `reference_audio`. Family B: `first_frame`, `end_frame`, `mid_frame`, `image`, `grid`, `reference`, `extend`, `prefix_video`, and on text `cut_type`, `style_name`.',
  }),
)

const ON_MEDIA = {
  role,
  tag: json.nullish(
    json.string({
      description:
        'Family B: the name the prompt uses. Needed for `mid_frame` and for all media of omni-video.',
    }),
  ),
  time_stamp: json.nullish(
    json.number({ description: 'Family B, `mid_frame`: the moment of the frame in the video, in seconds.' }),
  ),
}

/** Items that have an effect; others are dropped. */
const Item = json.byType({
  text: {
    text: json.string({
      pattern: NOT_BLANK,
      maxLength: TEXT_LENGTH_MAX,
      description: 'For `text`: the prompt.',
    }),
    role,
  },
  image_url: { image_url: media('image_url'), ...ON_MEDIA },
  video_url: { video_url: media('video_url'), ...ON_MEDIA },
  audio_url: { audio_url: media('audio_url'), ...ON_MEDIA },
})

/** Schema for the reference. `parseCreateTask` checks the body, and a test compares both. */
export const CreateTaskBody = json.object(
  {
    model: json.string({ pattern: NOT_BLANK, description: 'A video model of `GET /v1/models`.' }),
    content: json.array(Item, {
      minItems: 1,
      maxItems: ITEMS_MAX,
      description: 'Items without their text or url are dropped, and do not count.',
    }),
    task_type: json.nullish(
      json.string({
        maxLength: SHORT_TEXT_LENGTH_MAX,
        description:
          'Only for family B. Left out: found from the content: `text-to-video`, `image-to-video`, `omni-video`; for gen-v3 `reference`, `extension`, `cutshot`, `restyling`.',
      }),
    ),
    duration: json.nullish(
      json.integer({
        minimum: DURATION_SECONDS_MIN,
        maximum: DURATION_SECONDS_MAX,
        description:
          'Length in seconds. It is not used for restyling, which makes a video as long as the given one.',
      }),
    ),
    ratio: json.nullish(json.oneOf(RATIOS)),
    resolution: json.nullish(
      json.string({
        maxLength: SHORT_TEXT_LENGTH_MAX,
        description: 'A resolution such as `720p` or `1080p`.',
      }),
    ),
    seed: json.nullish(json.integer(EXACT)),
    framespersecond: json.nullish(json.integer(EXACT)),
    generate_audio: json.nullish(
      json.boolean({
        description: 'Whether the video has sound. `true` is refused for `vendorB/gen-v4-fast`.',
      }),
    ),
    draft: json.nullish(json.boolean()),
    service_tier: json.nullish(json.string({ maxLength: SHORT_TEXT_LENGTH_MAX })),
    watermark: json.nullish(
      json.boolean({
        description:
          'Family A: whether the video is marked visibly as generated. Where the operator leaves this to the vendor, or decides it, the field has no effect and `x-sluice-ignored` names it.',
      }),
    ),
    return_last_frame: json.nullish(
      json.boolean({
        description: 'Family A: `content.last_frame_url` of the finished task is a link to its last picture.',
      }),
    ),
    callback_url: json.nullish(
      json.string({
        maxLength: URL_LENGTH_MAX,
        pattern: `^${HTTPS_URL_PATTERN}$`,
        description: 'An HTTPS address to which the task is posted when it has ended. It is never shown.',
      }),
    ),
    execution_expires_after: json.nullish(
      json.integer({
        minimum: 1,
        maximum: EXPIRES_AFTER_SECONDS_MAX,
        description:
          'Seconds until the task fails when it has not ended. The operator may have set a minimum; less is refused.',
      }),
    ),
    quote_id: json.nullish(
      json.string({
        maxLength: QUOTE_ID_LENGTH_MAX,
        description:
          'A quote from `POST /v1/video/quotes` for this order: the task never costs more than was quoted. Only `metadata` and `callback_url` may differ from the body that was quoted. It can be used once, within 15 minutes.',
      }),
    ),
    metadata: json.nullish(
      json.object(
        {},
        {
          description: `Anything; every later answer shows it as it was sent. At most ${METADATA_BYTES_MAX} bytes of JSON and ${METADATA_MEMBERS_MAX} members, which are counted over all levels, together with the elements of lists.`,
        },
      ),
    ),
  },
  {
    examples: [
      {
        model: 'vendorA/gen-2.0',
        content: [{ type: 'text', text: 'A cat on a raft, at dusk' }],
        duration: 5,
      },
    ],
  },
)
