import { sql } from 'kysely'
import type { RequestLogStore } from '../../../ports/request-log.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { LOG_SOURCES, type LogSource, SPAN_FIELDS } from './log-sources.ts'

/** Each has thousands of values. */
const SPANS_AT_ONCE = 4

export const LOG_SPANS = {
  /** The lock excludes other replicas. */
  closeSpan: write(async (db, { beforeMs, rows }, traits) => {
    let closed = 0
    for (const source of LOG_SOURCES) {
      if ((await findEnd(db, source, { beforeMs, rows })) === undefined) continue
      await traits.lockName(db, 'log_spans')
      const span = await findEnd(db, source, { beforeMs, rows })
      if (span === undefined) continue
      await close(db, source, span)
      closed += 1
    }
    return closed
  }),

  dropOld: write(async (db, { beforeMs, limit }) => {
    const { numAffectedRows = 0n } = await sql`
      delete from refused_requests where id in (
        select id from refused_requests where at_ms < ${beforeMs} order by at_ms limit ${limit})`.execute(db)
    const { rows: spans } = await sql<{ source: string; toMs: number }>`
      select source, to_ms as "toMs" from log_spans where to_ms < ${beforeMs} limit ${SPANS_AT_ONCE}`.execute(
      db,
    )
    for (const { source, toMs } of spans) {
      const span = sql`where source = ${source} and to_ms = ${toMs}`
      await sql`delete from log_span_values ${span}`.execute(db)
      await sql`delete from log_spans ${span}`.execute(db)
    }
    return spans.length === SPANS_AT_ONCE ? limit : Number(numAffectedRows)
  }),
} satisfies Partial<StatementsOf<RequestLogStore>>

/** Returns the end of the last span; 0: there is none. */
export async function findSpansEnd(db: Db, { name }: LogSource): Promise<number> {
  const { rows } = await sql<{ toMs: number }>`
    select to_ms as "toMs" from log_spans where source = ${name} order by to_ms desc limit 1`.execute(db)
  return rows[0]?.toMs ?? 0
}

interface Span {
  fromMs: number
  toMs: number
}

/** Returns the next span; undefined while there are too few rows. It has all rows of its last millisecond. */
async function findEnd(
  db: Db,
  source: LogSource,
  { beforeMs, rows: count }: { beforeMs: number; rows: number },
): Promise<Span | undefined> {
  const endMs = await findSpansEnd(db, source)
  const { rows } = await sql<{ toMs: number }>`
    select ${source.at} as "toMs" from ${sql.table(source.name)} where ${source.at} > ${endMs} and ${source.at} < ${beforeMs}
    order by ${source.at} limit 1 offset ${count - 1}`.execute(db)
  const toMs = rows[0]?.toMs
  return toMs === undefined ? undefined : { fromMs: endMs + 1, toMs }
}

async function close(db: Db, source: LogSource, { fromMs, toMs }: Span): Promise<void> {
  const within = sql`from ${sql.table(source.name)} where ${source.at} >= ${fromMs} and ${source.at} <= ${toMs}`
  await sql`
    insert into log_spans (source, to_ms, from_ms, cost_micros_max)
    select ${source.name}, cast(${toMs} as bigint), min(${source.at}), max(${source.cost}) ${within}`.execute(
    db,
  )
  const columns = SPAN_FIELDS.flatMap((name) => {
    const column = source.fields[name]
    return column === undefined ? [] : [{ name, column: sql`cast(${column} as text)`, as: sql.ref(name) }]
  })
  const values = columns.map(
    ({ name, as }) => sql`select ${sql.lit(name)} as field, ${as} as value from seen where ${as} is not null`,
  )
  await sql`
    insert into log_span_values (source, field, value, to_ms)
    with seen as (select distinct ${sql.join(columns.map(({ column, as }) => sql`${column} as ${as}`))} ${within})
    select ${source.name}, field, value, cast(${toMs} as bigint)
    from (${sql.join(values, sql` union `)}) as found order by field, value`.execute(db)
}
