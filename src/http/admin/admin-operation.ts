import type { App } from '../../app/app.ts'
import type { GatewayOperator } from '../../app/operator.ts'
import { isRoleEnough, type Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { type JsonSchema, json } from '../../domain/json/json-schema.ts'
import type { PageQuery } from '../../ports/page-query.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { type HandlerParts, type MethodAndPath, named, type Operation } from '../operation.ts'
import { field, momentIn } from '../operations/admin/fields.ts'
import { digestBody } from '../schema/digest-body.ts'
import { pageSchema, presentPage } from '../schema/page-query.ts'
import { Fields, readBySchema, readQuery } from '../schema/read-by-schema.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX, readIdempotencyKey } from '../schema/read-idempotency-key.ts'

export interface AdminCall {
  /** Use cases that write the operator's name into the audit log. */
  operator: GatewayOperator
  installation: App['installation']
  /** Value of the path's only parameter, such as `:id`; empty: the path has none. */
  id: string
  query: Fields
  body: Fields
  /** Throws unless the operator has this role or a higher one. For rules that depend on the body. */
  require(role: Role): void
}

/** Operation of the admin API: its schema parses the body, and `run` calls one use case. */
interface AdminRow {
  /** Default: viewer for GET, operator for the rest. */
  role?: Role
  summary: string
  description?: string
  query?: Operation['query']
  body?: JsonSchema
  reply: JsonSchema
  /** Errors of this operation besides those that `repliesOf` adds; an entry here replaces its text for that status. */
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

/** `route` is below `/admin/v1`. */
export function adminOperation(id: string, route: MethodAndPath, row: AdminRow): Operation {
  const { method, path } = named(id, route)
  const { summary, description, query, body } = row
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
    replies: repliesOf({ method, path, ...row }),
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

/** Schema of an answer and its presenter, from `app/views/`. */
interface Shown<Row> {
  schema: JsonSchema
  present: (row: Row) => object
}

/** Operation whose reply is the row that `run` returns, presented as `answer` says. */
export function adminAnswer<Row>(
  id: string,
  route: MethodAndPath,
  answer: Shown<Row>,
  row: Omit<AdminRow, 'reply' | 'run'> & { run(call: AdminCall): Promise<Row> },
): Operation {
  const run = async (call: AdminCall) => answer.present(await row.run(call))
  return adminOperation(id, route, { ...row, reply: answer.schema, run })
}

function repliesOf(input: AdminRow & Pick<Operation, 'method' | 'path'>): Operation['replies'] {
  const { method, path, query, body, reply, errors } = input
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

/** Every id, and every name of a provider, model or alias, matches. Other values get 404, and the store is not read. */
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

/** Position in a list, usually an id. An empty cursor means the first page. */
const CURSOR = json.string({ maxLength: 200, pattern: '^[^\\p{Cc}]*$' })

export const ORGANIZATION_FILTER: NonNullable<Operation['query']> = {
  organization_id: {
    schema: json.string({ maxLength: 200, pattern: '^[^\\p{Cc}]*$' }),
    description: 'Only rows of this organization.',
  },
}

const RANGE: NonNullable<Operation['query']> = {
  from: { schema: field.moment(), description: 'Only rows of this moment or later.' },
  to: { schema: field.moment(), description: 'Only rows before this moment.' },
}

export function pagingOf(input: { limitMax: number; limitDefault: number; cursor: JsonSchema }) {
  const { limitMax, limitDefault, cursor } = input
  return {
    limit: {
      schema: json.integer({ minimum: 1, maximum: limitMax, default: limitDefault }),
      description: `Rows on a page, 1 to ${limitMax}.`,
    },
    cursor: { schema: cursor, description: '`next_cursor` of the page before.' },
  }
}

interface AdminList<Row> extends Omit<AdminRow, 'reply' | 'run' | 'body'> {
  /** Whether the list takes the parameters `from` and `to`. */
  isDated?: boolean
  item: JsonSchema
  cursor?: JsonSchema
  page(query: PageQuery, call: AdminCall): Promise<readonly Row[]>
  /** Cursor of the page that begins after this row. */
  positionOf(row: Row): string
  view(row: Row): object
}

/** Lists rows in pages. One row more than a page holds is read, which shows whether another page follows. */
export function adminList<Row>(
  id: string,
  path: `/${string}`,
  { page, positionOf, view, isDated, ...row }: AdminList<Row>,
): Operation {
  return adminOperation(id, `GET ${path}`, {
    ...row,
    query: {
      ...row.query,
      ...(isDated && RANGE),
      ...pagingOf({ limitMax: LIMIT_MAX, limitDefault: LIMIT_DEFAULT, cursor: row.cursor ?? CURSOR }),
    },
    reply: pageSchema(row.item),
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
      return presentPage(shown.map(view), last && positionOf(last))
    },
  })
}

/** Lists rows that have an id, each presented as `answer` says. */
export function adminRows<Row>(
  id: string,
  path: `/${string}`,
  answer: Shown<Row>,
  list: Omit<AdminList<Row & { id: string }>, 'item' | 'positionOf' | 'view'>,
): Operation {
  return adminList<Row & { id: string }>(id, path, {
    ...list,
    item: answer.schema,
    positionOf: (row) => row.id,
    view: answer.present,
  })
}
