import { invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { CLIP_KINDS } from '../../../domain/video/clip.ts'
import { readMember } from '../../body/request-body.ts'
import { MEDIA_REPLIES, RANGE_HEADER, sendMedia } from '../../media/send-media.ts'
import { clientOperation, openOperation } from '../../operation.ts'
import { parseTaskId } from '../../schema/parse-id.ts'
import { listTasks } from '../list-tasks/operation.ts'

export const getContent = clientOperation(
  'getContent',
  'GET /v1/video/generations/:task_id/content',
  'video',
  {
    summary: 'Download the video of a task',
    description:
      'Sends the kept file, else streams the file of the vendor by a fresh link. Ranges are supported.',
    example: { earlier: { operation: listTasks, query: '?limit=1', take: ['data', 0, 'id'] } },
    headers: RANGE_HEADER,
    query: {
      kind: {
        schema: json.oneOf(CLIP_KINDS),
        description: 'The video, or its last picture where `return_last_frame` was set. Default: `video`.',
      },
    },
    replies: {
      ...MEDIA_REPLIES,
      400: { description: 'There is no such kind of file.' },
      404: { description: 'This API key has no such task.' },
    },
    async serve({ app }, request, reply) {
      const { kind: asked }: { kind?: unknown } = Object(request.query)
      const kind = parseKind(asked)
      const id = parseTaskId(request.params)
      return sendMedia(await app.findContent.ofOwnTask({ id, kind, caller: request.caller }), request, reply)
    },
  },
)

function parseKind(given: unknown = 'video') {
  const kind = CLIP_KINDS.find((one) => one === given)
  if (kind !== undefined) return kind
  throw invalidParameter('kind', `kind must be one of ${CLIP_KINDS.join(', ')}.`)
}

export const openMediaLink = openOperation('openMediaLink', 'GET /v1/media/:token', {
  summary: 'Download a kept file by its link',
  description:
    'The link stands in `content.video_url` and `content.last_frame_url` of a task whose files are kept. It needs no key and is valid for 24 hours.',
  headers: RANGE_HEADER,
  replies: {
    ...MEDIA_REPLIES,
    404: { description: 'This link was not made here.' },
    429: { description: 'Too many downloads by links of the organization are open.' },
  },
  async serve({ app }, request, reply) {
    const token = readMember(request.params, 'token')
    const found = await app.findContent.ofLink(typeof token === 'string' ? token : '')
    return sendMedia(found, request, reply)
  },
})
