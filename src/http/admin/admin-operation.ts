import type { App } from '../../app/app.ts'
import type { GatewayOperator } from '../../app/operator.ts'
import { isRoleEnough, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import type { PageQuery } from '../../ports/page-query.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { HandlerParts, Operation } from '../operation.ts'
import { field, momentIn } from '../operations/admin/fields.ts'
import { digestBody } from '../schema/digest-body.ts'
import { Fields, readBySchema, readQuery } from '../schema/read-by-schema.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX, readIdempotencyKey } from '../schema/read-idempotency-key.ts'

/** Arguments of a row of the admin API. */
export interface AdminCall {
  /** Acts with the caller's name. */
  operator: GatewayOperator
  installation: App['installation']
  /** The `:id` or `:name` of the path. */
  id: string
  query: Fields
  body: Fields
  /** Throws unless the caller has at least this role: for requirements that only the body shows. */
  require(role: Role): void
}

/** One row of the admin API: parse by the schema, call one use case, present. */
export interface AdminRow {
  id: string
  method: Operation['method']
  /** Below `/admin/v1`. */
  path: string
  /** Default: viewer for GET, operator for the rest. */
  role?: Role
  summary: string
  description?: string
  query?: Operation['query']
  body?: JsonSchema
  reply: JsonSchema
  /** Statuses that not every row may answer. */
  errors?: Record<number, string>
  /** Checks rules that the schema cannot express. */
  check?(body: Fields): void
  run(call: AdminCall): Promise<object>
}

const BODY_BYTES_MAX = 1024 * 1024
const NO_FIELDS = new Fields({})

const IDEMPOTENCY_HEADER: Operation['headers'] = {
  'Idempotency-Key': {
    schema: json.string({ maxLength: IDEMPOTENCY_KEY_LENGTH_MAX }),
    description:
      'Printable ASCII characters of your choice. For 24 hours the same key with the same request changes nothing more and gets the first answer.',
  },
}

export function adminOperation(row: AdminRow): Operation {
  const { id, method, path, summary, description, query, body } = row
  const parameters = Object.fromEntries(
    Object.entries(query ?? {}).map(([name, { schema }]) => [name, schema]),
  )
  return {
    ...{ id, method, path: `/admin/v1${path}`, area: 'admin', access: 'admin', summary },
    role: row.role ?? (method === 'GET' ? 'viewer' : 'operator'),
    ...(description !== undefined && { description }),
    ...(query !== undefined && { query }),
    ...(method === 'POST' && { headers: IDEMPOTENCY_HEADER }),
    ...(body !== undefined && { body: { schema: body, limitBytes: BODY_BYTES_MAX } }),
    replies: repliesOf(row),
    handle:
      ({ app }: HandlerParts) =>
      async (request) => {
        const call = {
          installation: app.installation,
          id: idOf(request),
          query: query === undefined ? NO_FIELDS : readQuery(request.query, parameters),
          body: body === undefined ? NO_FIELDS : readBySchema(request.body, body),
          require: (role: Role) => requireRole(request, role),
        }
        row.check?.(call.body)
        const actor = request.admin?.actor ?? ''
        const run = (claimId?: string) => row.run({ ...call, operator: app.operatorFor({ actor, claimId }) })
        const key = method === 'POST' ? readIdempotencyKey(request.headers) : undefined
        if (key === undefined) return run()
        const bodyDigest = digestBody([request.raw.url, request.body ?? null])
        return app.oncePerKey({ actor, key, bodyDigest }, run)
      },
  }
}

function repliesOf({ method, path, query, body, reply, errors }: AdminRow): Operation['replies'] {
  const texts: Record<number, string> = { 403: '`forbidden`: the role of the operator does not allow it.' }
  if (query !== undefined || body !== undefined) texts[400] = 'A parameter is missing or not allowed.'
  if (method === 'POST') {
    texts[400] = 'A parameter or the `Idempotency-Key` is missing or not allowed.'
    texts[409] =
      'A request with this `Idempotency-Key` is running, or was carried out and its answer was lost.'
    texts[422] = 'This `Idempotency-Key` came with another request before.'
  }
  if (path.includes(':')) texts[404] = 'There is no such row, or `admin endpoints disabled`.'
  const others = Object.entries({ ...texts, ...errors }).map(([status, description]) => [
    status,
    { description },
  ])
  return { 200: { description: 'Done.', schema: reply }, ...Object.fromEntries(others) }
}

/** Matches our ids, and names of providers, models and aliases: any other value cannot exist, and needs no query. */
const ID = /^[\w.:@/-]{1,200}$/

function idOf({ params }: EdgeRequest): string {
  const [id]: unknown[] = Object.values(Object(params))
  if (id === undefined) return ''
  if (typeof id === 'string' && ID.test(id)) return id
  throw new ApiError('not_found')
}

function requireRole({ admin }: EdgeRequest, role: Role): void {
  if (admin === undefined || !isRoleEnough(admin.role, role)) throw new ApiError('forbidden')
}

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** Position in a list: an id, unless the list defines another. Programs that page in a loop begin with an empty one. */
const CURSOR = json.string({ maxLength: 200, pattern: '^[^\\p{Cc}]*$' })

export const ORGANIZATION_FILTER: NonNullable<Operation['query']> = {
  organization_id: {
    schema: json.string({ maxLength: 200, pattern: '^[^\\p{Cc}]*$' }),
    description: 'Only of this organization.',
  },
}

const RANGE: NonNullable<Operation['query']> = {
  from: { schema: field.moment(), description: 'Only rows of then or later.' },
  to: { schema: field.moment(), description: 'Only rows of before then.' },
}

interface AdminList<Row> extends Omit<AdminRow, 'method' | 'reply' | 'run' | 'body'> {
  /** Whether it takes a range of time, `from` and `to`. */
  isDated?: boolean
  item: JsonSchema
  cursor?: JsonSchema
  page(query: PageQuery, call: AdminCall): Promise<readonly Row[]>
  /** Position of a row, behind which the next page begins. */
  positionOf(row: Row): string
  view(row: Row): object
}

/** List in pages. It reads one row more than a page has: if that row exists, another page follows. */
export function adminList<Row>({ page, positionOf, view, isDated, ...row }: AdminList<Row>): Operation {
  return adminOperation({
    ...row,
    method: 'GET',
    query: {
      ...row.query,
      ...(isDated && RANGE),
      limit: {
        schema: json.integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
        description: `Rows on a page, 1 to ${LIMIT_MAX}.`,
      },
      cursor: { schema: row.cursor ?? CURSOR, description: '`next_cursor` of the page before.' },
    },
    reply: json.object({
      object: json.literal('list'),
      data: json.array(row.item),
      has_more: json.boolean(),
      next_cursor: json.string({ description: 'Empty on the last page.' }),
    }),
    async run(call) {
      const limit = call.query.numberOr('limit', LIMIT_DEFAULT)
      const after = call.query.textOr('cursor', '')
      const rows = await page(
        {
          limit: limit + 1,
          ...(after !== '' && { after }),
          ...(isDated && { fromMs: momentIn(call.query, 'from'), toMs: momentIn(call.query, 'to') }),
          ...(call.query.has('organization_id') && { organizationId: call.query.text('organization_id') }),
        },
        call,
      )
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        object: 'list',
        data: shown.map(view),
        has_more: last !== undefined,
        next_cursor: last === undefined ? '' : positionOf(last),
      }
    },
  })
}
