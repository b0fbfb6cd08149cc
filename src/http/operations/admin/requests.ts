import { answer } from '../../../app/views/present.ts'
import { LOGGED_REQUEST } from '../../../app/views/requests.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminAnswer, adminOperation, ORGANIZATION_FILTER, pagingOf } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import { pageSchema, presentPage } from '../../schema/page-query.ts'
import { field, momentIn } from './fields.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

const RECORDED_BODY = answer({
  request_id: field.text(),
  request: json.string({
    description: 'The body of the request. Media are replaced by text such as `[image, N bytes]`.',
  }),
  response: json.nullable(
    json.string({
      description: 'The body of the response, or the events of a stream. null: no body was sent.',
    }),
  ),
  truncated: json.boolean({
    description: 'Whether one of the two bodies was longer than 256 KiB and was cut.',
  }),
})

export const requests: readonly Operation[] = [
  adminOperation('adminListRequests', 'GET /requests', {
    summary: 'List text requests and video creates',
    description:
      'The list is newest first and includes refused requests of a valid key: 60 a minute and key have a row each, and a row with `refusals_not_kept` counts the others. A repeated request that got its first answer again has no row of its own. A page may have fewer rows than its limit although another one follows. Rows are kept as long as usage.',
    query: {
      ...ORGANIZATION_FILTER,
      key_id: { schema: field.id('key'), description: 'Only requests of this API key.' },
      user_id: { schema: field.id('usr'), description: 'Only requests of this user.' },
      model: { schema: field.word(), description: 'Only requests for this model.' },
      provider: { schema: field.word(), description: 'Only requests that this provider served or failed.' },
      status: {
        schema: json.integer({ minimum: 100, maximum: 599 }),
        description: 'Only requests with this HTTP status.',
      },
      code: { schema: field.word(), description: 'Only requests with this error code.' },
      failed: {
        schema: json.oneOf(['true', 'false']),
        description: '`true`: only requests with an error code, without those whose client left.',
      },
      from: { schema: field.moment(), description: 'Only requests from this moment on.' },
      to: { schema: field.moment(), description: 'Only requests before this moment.' },
      min_cost_micros: {
        schema: json.integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        description: 'Only requests that cost at least this much.',
      },
      ...pagingOf({
        limitMax: LIMIT_MAX,
        limitDefault: LIMIT_DEFAULT,
        cursor: json.string({ maxLength: 1_000 }),
      }),
    },
    reply: pageSchema(LOGGED_REQUEST.schema),
    async run({ operator, query }) {
      const { requests: rows, nextCursor } = await operator.listRequests({
        ...query.named('organization_id', 'key_id', 'user_id', 'model', 'provider', 'code'),
        status: query.numberOr('status', undefined),
        isFailed: query.textOr('failed', 'false') === 'true' || undefined,
        fromMs: momentIn(query, 'from'),
        toMs: momentIn(query, 'to'),
        minCostMicros: query.microsOr('min_cost_micros', undefined),
        limit: query.numberOr('limit', LIMIT_DEFAULT),
        cursor: query.textOr('cursor', '') || undefined,
      })
      return presentPage(rows.map(LOGGED_REQUEST.present), nextCursor)
    },
  }),
  adminAnswer('adminShowRequestBody', 'GET /requests/:id/body', RECORDED_BODY, {
    role: 'operator',
    summary: 'Read the recorded bodies of a request',
    description:
      'Bodies are recorded for an organization with `record_bodies`, and kept for `BODIES_KEPT_HOURS`. Every call of this operation leaves an audit row.',
    run: async ({ operator, id }) => ({ requestId: id, ...(await operator.showBody(id)) }),
  }),
]
