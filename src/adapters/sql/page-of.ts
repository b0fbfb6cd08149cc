import { type RawBuilder, sql } from 'kysely'
import type { PageQuery } from '../../ports/page-query.ts'
import type { Db, Tables } from './tables.ts'

/** Reads one page of a table, newest first. */
export async function readPage<Row extends object>(
  db: Db,
  table: keyof Tables,
  columns: RawBuilder<Row>,
  query: PageQuery,
  filters?: readonly RawBuilder<unknown>[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table)} ${pageOf(table, query, filters)}`.execute(db)
  return rows.map((row) => ({ ...row }))
}

/**
 * End of a statement that reads one page, newest first. Ids sort by time, so the statement uses the primary key backwards,
 * or the index on organization and id. The cost of a page without other filters does not depend on its depth.
 */
export function pageOf(
  table: string,
  { after, organizationId, id: only, limit, ...range }: PageQuery,
  filters: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const id = sql.ref(`${table}.id`)
  const conditions = [...filters, ...createdWithin(table, range)]
  if (only !== undefined) conditions.push(sql`${id} = ${only}`)
  if (organizationId !== undefined)
    conditions.push(sql`${sql.ref(`${table}.organization_id`)} = ${organizationId}`)
  if (after !== undefined) conditions.push(sql`${id} < ${after}`)
  const which = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`${which} order by ${id} desc limit ${limit}`
}

/** Prefix of a table's ids, and the column with the time that the ids contain. */
const DATED: Record<string, readonly [prefix: string, column: string]> = {
  api_keys: ['key', 'created_at_ms'],
  asset_groups: ['group', 'created_at_ms'],
  assets: ['asset', 'created_at_ms'],
  clips: ['clip', 'created_at_ms'],
  audit_events: ['aud', 'at_ms'],
  events: ['evt', 'created_at_ms'],
  ledger_entries: ['ent', 'created_at_ms'],
  operators: ['opr', 'created_at_ms'],
  organizations: ['org', 'created_at_ms'],
  users: ['usr', 'created_at_ms'],
  verifications: ['verification', 'created_at_ms'],
  video_tasks: ['task', 'created_at_ms'],
}

/** An id begins with its time, so a range of creation times is a range of the primary key. */
function createdWithin(table: string, input: Pick<PageQuery, 'fromMs' | 'toMs'>): RawBuilder<unknown>[] {
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = input
  const [prefix = '', column = ''] = DATED[table] ?? []
  const moment = sql.ref(`${table}.${column}`)
  const id = sql.ref(`${table}.id`)
  return [
    ...(fromMs > 0 ? [sql`${moment} >= ${fromMs} and ${id} >= ${idAt(prefix, fromMs - ID_SLACK_MS)}`] : []),
    ...(toMs < MOMENT_MAX_MS
      ? [sql`${moment} < ${toMs} and ${id} < ${idAt(prefix, toMs + ID_SLACK_MS)}`]
      : []),
  ]
}

/** Maximum difference between the time in an id and the time of its row, after a clock was set back. */
const ID_SLACK_MS = 3_600_000
/** Largest time that fits into the 12 hexadecimal digits of an id, less the slack. */
const MOMENT_MAX_MS = 2 ** 48 - ID_SLACK_MS

/** Returns the lower bound for ids with this prefix that were made at this time or later. */
export function idAt(prefix: string, ms: number): string {
  return `${prefix}_${Math.max(0, ms).toString(16).padStart(12, '0')}`
}

/** Returns the condition that a column has this value; none for undefined. */
export function equal(column: string, value: string | undefined): RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
}

/** Tells whether a list has filters besides its organization. A page may then read many rows. */
export function isFiltered(query: PageQuery): boolean {
  const { after: _after, organizationId: _organization, id: _id, limit: _limit, ...filters } = query
  return Object.values(filters).some((value) => value !== undefined)
}
