import { crc32 } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import { ERRORS } from '../../../domain/errors.ts'
import type { LoggedRequest, RequestFilter } from '../../../ports/request-log.ts'

export interface SourcePage {
  rows: LoggedRequest[]
  /** Rows before this time were not read; undefined when the page is full or no row is left. */
  unreadBeforeMs: number | undefined
}

/** A table of the request log. Its rows are read by time, and filters use its spans. */
export interface LogSource {
  name: 'text_usage' | 'refused_requests'
  /** Indexed column of the time. */
  at: RawBuilder<number>
  columns: RawBuilder<unknown>
  /** Columns whose values the spans list. A filter on a missing field matches no row of the source. */
  fields: { readonly [Name in SpanField]?: RawBuilder<unknown> }
  cost: RawBuilder<unknown>
}

/** Fields whose values the spans list. Users are not among them: a filter by user uses the user's keys. */
export const SPAN_FIELDS = ['organizationId', 'keyId', 'model', 'provider', 'status', 'code'] as const
export type SpanField = (typeof SPAN_FIELDS)[number]

export const TEXT: LogSource = {
  name: 'text_usage',
  at: sql`charged_at_ms`,
  columns: sql`
    id, request_id as "requestId", charged_at_ms as "atMs", operation, organization_id as "organizationId",
    api_key_id as "keyId", user_id as "userId", coalesce(asked_model, model) as model, model as "servedBy", provider,
    status, code, input_tokens as "inputTokens", output_tokens as "outputTokens", cost_micros as "costMicros",
    first_byte_ms as "firstTokenMs", duration_ms as "durationMs", null as "notKept"`,
  fields: {
    organizationId: sql`organization_id`,
    keyId: sql`api_key_id`,
    model: sql`coalesce(asked_model, model)`,
    provider: sql`provider`,
    status: sql`status`,
    code: sql`code`,
  },
  cost: sql`cost_micros`,
}

export const REFUSED: LogSource = {
  name: 'refused_requests',
  at: sql`at_ms`,
  columns: sql`
    id, case when not_kept is null then id end as "requestId", at_ms as "atMs", operation,
    organization_id as "organizationId", api_key_id as "keyId", user_id as "userId", model, null as "servedBy",
    null as provider, status, code, null as "inputTokens", null as "outputTokens", 0 as "costMicros",
    null as "firstTokenMs", duration_ms as "durationMs", not_kept as "notKept"`,
  fields: {
    organizationId: sql`organization_id`,
    keyId: sql`api_key_id`,
    model: sql`model`,
    status: sql`status`,
    code: sql`code`,
  },
  cost: sql`0`,
}

/** Code of a request whose client closed the connection; it is not in the catalog of errors. */
const CLIENT_LEFT = 'client_closed_request'
const ERROR_CODES = Object.keys(ERRORS)

export const LOG_SOURCES: readonly LogSource[] = [TEXT, REFUSED]

/** Returns the conditions for rows of a source; undefined when none of its rows can match. */
export function conditionsOf(source: LogSource, filter: RequestFilter): RawBuilder<unknown>[] | undefined {
  const conditions: RawBuilder<unknown>[] = []
  for (const name of SPAN_FIELDS) {
    if (filter[name] === undefined) continue
    const column = source.fields[name]
    if (column === undefined) return undefined
    conditions.push(sql`${column} = ${filter[name]}`)
  }
  if (filter.userId !== undefined) conditions.push(sql`user_id = ${filter.userId}`)
  if (filter.isFailed) conditions.push(sql`code <> ${CLIENT_LEFT}`)
  if (filter.minCostMicros !== undefined) conditions.push(sql`${source.cost} >= ${filter.minCostMicros}`)
  return conditions
}

/** Returns conditions for spans that may have matching rows. `keyIds` are the keys of the user. */
export function spanConditionsOf(
  source: LogSource,
  filter: RequestFilter,
  keyIds: readonly string[],
): RawBuilder<unknown>[] {
  const having = (values: readonly number[]) =>
    values.length === 0
      ? sql`1 = 0`
      : sql`id in (select span_id from log_span_values where value in (${sql.join(values)}))`
  const numberOf = (field: SpanField, value: unknown) => numberOfValue(source, field, value)
  return [
    ...SPAN_FIELDS.flatMap((field) =>
      filter[field] === undefined ? [] : [having([numberOf(field, filter[field])])],
    ),
    ...(filter.userId === undefined ? [] : [having(keyIds.map((id) => numberOf('keyId', id)))]),
    ...(filter.isFailed ? [having(ERROR_CODES.map((code) => numberOf('code', code)))] : []),
    ...(filter.minCostMicros === undefined ? [] : [sql`cost_micros_max >= ${filter.minCostMicros}`]),
  ]
}

/** Hashes a value. When two values have the same number, a page reads one more span without matching rows. */
export function numberOfValue({ name }: LogSource, field: SpanField, value: unknown): number {
  return crc32(`${name} ${field} ${value}`)
}
