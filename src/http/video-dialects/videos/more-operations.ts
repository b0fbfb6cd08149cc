import { CREATE_BODY_BYTES_MAX, FORM_BYTES_MAX } from '../../../app/video/create-body/bounds.ts'
import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { MEDIA_REPLIES, RANGE_HEADER, sendMedia } from '../../media/send-media.ts'
import { clientOperation } from '../../operation.ts'
import { parseDialectId } from '../dialect-id.ts'
import { readPrompt, videos } from './dialect.ts'
import { RemixVideoBody } from './video-schema.ts'

const NOT_FOUND = { description: 'This API key has no such video.' }

export const getVideoContent = clientOperation(
  'getVideoContent',
  `GET ${videos.path}/:video_id/content`,
  'video',
  {
    summary: 'Download a video, in the shape of the Videos API',
    description: 'Streams the video by a fresh link of the vendor, or the kept file. Ranges are supported.',
    headers: RANGE_HEADER,
    query: {
      variant: {
        schema: json.oneOf(['video']),
        description: 'Thumbnails and sprite sheets are not made: only `video`.',
      },
    },
    replies: { ...MEDIA_REPLIES, 400: { description: 'The variant is not made.' }, 404: NOT_FOUND },
    async serve({ app }, request, reply) {
      const { variant }: { variant?: unknown } = Object(request.query)
      if (variant !== undefined && variant !== 'video') throw noVariant()
      const id = parseDialectId(videos, request.params)
      return sendMedia(await app.findContent.ofOwnTask({ id, caller: request.caller }), request, reply)
    },
  },
)

function noVariant(): ApiError {
  const message = 'variant must be video: thumbnails and sprite sheets are not made here.'
  return invalidParameter('variant', message)
}

/** No model of the families changes a finished video by its id. */
export const remixVideo = clientOperation('remixVideo', `POST ${videos.path}/:video_id/remix`, 'video', {
  summary: 'Remix a video: always refused',
  description:
    'No model here remixes a video by its id. Order a video with `POST /v1/video/generations` and the video as a `video_url` item.',
  body: { schema: RemixVideoBody, limitBytes: CREATE_BODY_BYTES_MAX, formBytesMax: FORM_BYTES_MAX },
  replies: { 400: { description: 'The prompt is wrong, or no model remixes videos.' }, 404: NOT_FOUND },
  async serve({ app }, request) {
    readPrompt(Object(request.body).prompt)
    const id = parseDialectId(videos, request.params)
    const { model } = await app.getTask({ id, caller: request.caller })
    throw new ApiError('unsupported_combination', {
      param: 'video_id',
      message: `The model ${model} cannot remix a video. Order one with POST /v1/video/generations, with this video as a video_url item.`,
    })
  },
})
