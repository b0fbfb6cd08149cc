import { present } from '../../../app/views/present.ts'
import { LOGGED_REQUEST } from '../../../app/views/requests.ts'
import { micros } from '../../../domain/billing/micros.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { adminOperation, ORGANIZATION_FILTER } from '../../admin/admin-operation.ts'
import type { Operation } from '../../operation.ts'
import type { Fields } from '../../schema/read-by-schema.ts'
import { field, momentOf } from './fields.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

export const requests: readonly Operation[] = [
  adminOperation({
    id: 'adminListRequests',
    method: 'GET',
    path: '/requests',
    summary: 'List text requests and video creates',
    description:
      'Newest first, also refused ones of a valid key; those are kept up to 60 a minute and key, and a row with `refusals_not_kept` counts the others. A repeated request that got its first answer again has no row of its own. A page may have fewer rows than its limit although another one follows. Rows are kept as long as usage.',
    query: {
      ...ORGANIZATION_FILTER,
      key_id: { schema: field.id('key'), description: 'Only of this API key.' },
      user_id: { schema: field.id('usr'), description: 'Only of this user.' },
      model: { schema: field.word(), description: 'Only requests for this model.' },
      provider: { schema: field.word(), description: 'Only requests that this provider served or failed.' },
      status: {
        schema: json.integer({ minimum: 100, maximum: 599 }),
        description: 'Only with this HTTP status.',
      },
      code: { schema: field.word(), description: 'Only with this error code.' },
      from: { schema: field.moment(), description: 'Only from this moment on.' },
      to: { schema: field.moment(), description: 'Only before this moment.' },
      min_cost_micros: {
        schema: json.integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
        description: 'Only requests that cost at least this much.',
      },
      limit: {
        schema: json.integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
        description: `Rows on a page, 1 to ${LIMIT_MAX}.`,
      },
      cursor: { schema: json.string({ maxLength: 1_000 }), description: '`next_cursor` of the page before.' },
    },
    reply: json.object({
      object: json.literal('list'),
      data: json.array(LOGGED_REQUEST.schema),
      has_more: json.boolean(),
      next_cursor: json.string({ description: 'Empty on the last page.' }),
    }),
    async run({ operator, query }) {
      const { requests: rows, nextCursor } = await operator.listRequests({
        organizationId: query.textOr('organization_id', undefined),
        keyId: query.textOr('key_id', undefined),
        userId: query.textOr('user_id', undefined),
        model: query.textOr('model', undefined),
        provider: query.textOr('provider', undefined),
        status: query.has('status') ? query.number('status') : undefined,
        code: query.textOr('code', undefined),
        fromMs: momentIn(query, 'from'),
        toMs: momentIn(query, 'to'),
        minCostMicros: query.has('min_cost_micros') ? micros(query.number('min_cost_micros')) : undefined,
        limit: query.numberOr('limit', LIMIT_DEFAULT),
        cursor: query.textOr('cursor', '') || undefined,
      })
      return {
        object: 'list',
        data: rows.map((row) => present(LOGGED_REQUEST, row)),
        has_more: nextCursor !== undefined,
        next_cursor: nextCursor ?? '',
      }
    },
  }),
  adminOperation({
    id: 'adminShowRequestBody',
    method: 'GET',
    path: '/requests/:id/body',
    role: 'operator',
    summary: 'Read the recorded bodies of a request',
    description:
      'Recorded where `record_bodies` of the organization says so, and kept for `BODIES_KEPT_HOURS`. Every look leaves an audit row.',
    reply: json.object({
      request_id: field.text(),
      request: json.string({ description: 'As it was sent; media are `[image, N bytes]`.' }),
      response: json.nullable(json.string({ description: 'A stream with its events. null: none was sent.' })),
      truncated: json.boolean({ description: 'Whether one of them was longer than 256 KiB.' }),
    }),
    async run({ operator, id }) {
      const { request, response, truncated } = await operator.showBody(id)
      return { request_id: id, request, response, truncated }
    },
  }),
]

function momentIn(given: Fields, name: string): number | undefined {
  return given.has(name) ? momentOf(given.text(name), name) : undefined
}
