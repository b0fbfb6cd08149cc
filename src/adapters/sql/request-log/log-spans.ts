import { sql } from 'kysely'
import type { LogSpan, RequestLogStore } from '../../../ports/request-log.ts'
import { hotListStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { readLong, type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { LOG_SOURCES, type LogSource, numberOfValue, SPAN_FIELDS, type SpanField } from './log-sources.ts'

/** Maximum number of spans that one call drops; each has hundreds of values. */
const DROPPED_BATCH_MAX = 4

export const LOG_SPANS = {
  readSpans: readLong(async (db, { beforeMs, rows, spansMin, spansMax }) => {
    const spans: LogSpan[] = []
    for (const source of LOG_SOURCES) {
      const ends = await findEnds(db, source, { beforeMs, rows, spansMax })
      if (ends.length < spansMin) continue
      for (const [at, toMs] of ends.entries()) {
        const fromMs = (ends[at - 1] ?? (await findSpansEnd(db, source))) + 1
        spans.push(await readSpan(db, source, { fromMs, toMs }))
      }
    }
    return spans
  }),

  writeSpanValues: write(async (db, values) => {
    for (const chunk of inChunks(values)) {
      const flat = chunk.flatMap(({ value, spanId }) => [value, spanId])
      await insertValues(db, flat)
    }
  }),

  closeSpans: write(async (db, spans) => {
    for (const { id, source, fromMs, toMs, costMicrosMax } of spans)
      await sql`
        insert into log_spans (id, source, from_ms, to_ms, cost_micros_max)
        values (${id}, ${source}, ${fromMs}, ${toMs}, ${costMicrosMax}) on conflict (id) do nothing`.execute(
        db,
      )
  }),

  dropOld: write(async (db, { beforeMs, limit }) => {
    const { numAffectedRows = 0n } = await sql`
      delete from refused_requests where id in (
        select id from refused_requests where at_ms < ${beforeMs} order by at_ms limit ${limit})`.execute(db)
    const { rows: spans } = await sql<{ id: number }>`
      select id from log_spans where to_ms < ${beforeMs} limit ${DROPPED_BATCH_MAX}`.execute(db)
    for (const { id } of spans) {
      await sql`delete from log_span_values where span_id = ${id}`.execute(db)
      await sql`delete from log_spans where id = ${id}`.execute(db)
    }
    return spans.length === DROPPED_BATCH_MAX ? limit : Number(numAffectedRows)
  }),
} satisfies Partial<StatementsOf<RequestLogStore>>

const insertValues = hotListStatement<number>(2, (rows) => {
  const values = rows.map((row) => sql`(${sql.join(row)})`)
  return sql`
    insert into log_span_values (value, span_id) values ${sql.join(values)} on conflict (value, span_id) do nothing`
})

/** Returns the end of the last span, or 0 without spans. */
export async function findSpansEnd(db: Db, { name }: LogSource): Promise<number> {
  const { rows } = await sql<{ toMs: number }>`
    select to_ms as "toMs" from log_spans where source = ${name} order by to_ms desc limit 1`.execute(db)
  return rows[0]?.toMs ?? 0
}

/** Returns the ends of the next spans. A span has all rows of its last millisecond. */
async function findEnds(
  db: Db,
  source: LogSource,
  { beforeMs, rows: count, spansMax }: { beforeMs: number; rows: number; spansMax: number },
): Promise<number[]> {
  const ends: number[] = []
  let endMs = await findSpansEnd(db, source)
  while (ends.length < spansMax) {
    const { rows } = await sql<{ toMs: number }>`
      select ${source.at} as "toMs" from ${sql.table(source.name)}
      where ${source.at} > ${endMs} and ${source.at} < ${beforeMs}
      order by ${source.at} limit 1 offset ${count - 1}`.execute(db)
    const toMs = rows[0]?.toMs
    if (toMs === undefined) break
    ends.push(toMs)
    endMs = toMs
  }
  return ends
}

async function readSpan(
  db: Db,
  source: LogSource,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<LogSpan> {
  const fields = SPAN_FIELDS.filter((field) => source.fields[field] !== undefined)
  const columns = fields.map((field) => sql`${source.fields[field]} as ${sql.ref(field)}`)
  const { rows } = await sql<
    Partial<Record<SpanField, string | number | null>> & { cost: number; atMs: number }
  >`
    select ${sql.join(columns)}, ${source.cost} as cost, ${source.at} as "atMs" from ${sql.table(source.name)}
    where ${source.at} >= ${fromMs} and ${source.at} <= ${toMs}`.execute(db)
  const seen = fields.map((field) => [field, new Set<string | number>()] as const)
  let costMicrosMax = 0
  let firstMs = toMs
  for (const row of rows) {
    for (const [field, values] of seen) {
      const value = row[field]
      if (value !== null && value !== undefined) values.add(value)
    }
    if (row.cost > costMicrosMax) costMicrosMax = row.cost
    if (row.atMs < firstMs) firstMs = row.atMs
  }
  const values = seen.flatMap(([field, found]) =>
    [...found].map((value) => numberOfValue(source, field, value)),
  )
  const id = toMs * LOG_SOURCES.length + LOG_SOURCES.indexOf(source)
  return { id, source: source.name, fromMs: firstMs, toMs, costMicrosMax, values: [...new Set(values)] }
}
