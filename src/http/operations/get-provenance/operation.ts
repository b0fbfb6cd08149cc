import { ApiError, invalidParameter } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { readMember } from '../../body/request-body.ts'
import { clientOperation, openOperation } from '../../operation.ts'
import { parseTaskId } from '../../schema/parse-id.ts'
import { Receipt } from '../get-receipt/operation.ts'
import { listTasks } from '../list-tasks/operation.ts'

const Marks = json.nullable(
  json.object(
    {
      c2pa: json.object({
        state: json.oneOf(['none', 'valid', 'invalid']),
        issuer: json.nullable(json.string()),
      }),
      aigc: json.nullable(json.object({})),
    },
    { description: 'Machine-readable marks that the file has; null: it was not inspected.' },
  ),
)

export const getProvenance = clientOperation(
  'getProvenance',
  'GET /v1/video/generations/:task_id/provenance',
  'video',
  {
    summary: 'Get what is known about the file of a video task',
    description:
      'Hash, size and marks of the kept video, with its signed entry in the chain of receipts. It stays when the file is gone.',
    example: { earlier: { operation: listTasks, query: '?limit=1', take: ['data', 0, 'id'] } },
    replies: {
      200: {
        description: 'The file.',
        schema: json.object({
          task_id: json.string(),
          sha256: json.string({ description: 'Hash of the file in lower-case hex.' }),
          bytes: json.integer(),
          media_type: json.string(),
          duration_ms: json.nullable(json.integer()),
          width: json.nullable(json.integer()),
          height: json.nullable(json.integer()),
          watermark: json.nullable(
            json.boolean({ description: 'The value of the order. null: the order had none.' }),
          ),
          marks: Marks,
          kept_until: json.nullable(json.string({ format: 'date-time' })),
          entry: Receipt,
        }),
      },
      404: { description: 'This API key has no such task.' },
      409: { description: 'The video was not copied, or not yet.' },
      503: { description: 'The store is not available, or the gateway is busy.' },
    },
    serve: ({ app }, request) =>
      app.getProvenance({ id: parseTaskId(request.params), caller: request.caller }),
  },
)

export const findProvenance = openOperation('findProvenance', 'GET /v1/provenance/:sha256', {
  isOffered: ({ app }) => app.findProvenance !== undefined,
  summary: 'Look up a file by its hash',
  description:
    'Tells a visitor who has a file whether this gateway made it. Offered with `VERIFY_PAGE=on`, 60 times a minute and address.',
  replies: {
    200: {
      description: 'The facts of the file; only `made` when the file is unknown.',
      schema: json.object({
        made: json.boolean(),
        created: json.optional(json.integer({ description: 'Unix seconds.' })),
        model: json.optional(json.string()),
        marks: json.optional(Marks),
        consent: json.optional(
          json.oneOf(['none', 'given', 'withdrawn'], {
            description:
              'Consent of the verified people in the video. `none`: the video shows no verified people.',
          }),
        ),
      }),
    },
    400: { description: 'The hash is not 64 hexadecimal digits.' },
    404: { description: 'The look-up is not offered.' },
    429: { description: 'Too many look-ups in a minute.' },
    503: { description: 'The store is not available, or the gateway is busy.' },
  },
  async serve({ app, forwarded }, request) {
    if (app.findProvenance === undefined) throw new ApiError('not_found')
    const given = readMember(request.params, 'sha256')
    const sha256 = typeof given === 'string' ? given.toLowerCase() : ''
    if (!/^[\da-f]{64}$/.test(sha256))
      throw invalidParameter('sha256', 'The hash must be SHA-256 in hexadecimal.')
    return app.findProvenance({ sha256, address: forwarded.addressOf(request.raw) })
  },
})
