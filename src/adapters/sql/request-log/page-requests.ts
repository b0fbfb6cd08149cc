import { type RawBuilder, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type {
  LoggedRequest,
  LogPosition,
  RequestFilter,
  RequestLogStore,
  RequestPage,
  RequestPageQuery,
} from '../../../ports/request-log.ts'
import { equal } from '../page-of.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'
import { taskIdAt } from '../tasks/tasks-for-operator.ts'
import {
  conditionsOf,
  LOG_SOURCES,
  type LogSource,
  type SourcePage,
  spanConditionsOf,
} from './log-sources.ts'
import { findSpansEnd } from './log-spans.ts'

export const PAGE_REQUESTS = {
  page: read(pageRequests, ({ filter }) => Object.values(filter).some((value) => value !== undefined)),
} satisfies Partial<StatementsOf<RequestLogStore>>

const FULL: Pick<SourcePage, 'unreadBeforeMs'> = { unreadBeforeMs: undefined }
const NOTHING: SourcePage = { rows: [], ...FULL }

/** Merges the tables of the log. If a table was not read to its end, the page ends where reading stopped. */
async function pageRequests(db: Db, query: RequestPageQuery): Promise<RequestPage> {
  const { limit } = query
  const more = { ...query, limit: limit + 1 }
  const pages = [await pageVideos(db, more)]
  for (const source of LOG_SOURCES) pages.push(await pageSource(db, source, more))
  const unread = pages.flatMap(({ unreadBeforeMs }) => unreadBeforeMs ?? [])
  const unreadBeforeMs = unread.length === 0 ? undefined : Math.max(...unread)
  const found = pages
    .flatMap(({ rows }) => rows)
    .filter(({ atMs }) => unreadBeforeMs === undefined || atMs >= unreadBeforeMs)
    .toSorted(newestFirst)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (found.length > limit && last !== undefined) return { rows, next: { atMs: last.atMs, id: last.id } }
  return { rows, next: unreadBeforeMs === undefined ? undefined : { atMs: unreadBeforeMs, id: '' } }
}

function newestFirst(one: LogPosition, other: LogPosition): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs
  return one.id < other.id ? 1 : -1
}

/** Number of rows that one step reads among the rows newer than all spans, and the number of steps in a page. */
const TAIL_ROWS = 20_000
const TAIL_STEPS_MAX = 3
/** Numbers of spans per statement: few at first, because a frequent value soon fills a page. */
const SPANS_PER_STATEMENT = [2, 8, 30, 120]
const SPANS_MAX = SPANS_PER_STATEMENT.reduce((sum, count) => sum + count, 0)

/** Reads the log by time; with a filter, first the rows newer than all spans, then spans that have the value. */
async function pageSource(db: Db, source: LogSource, query: RequestPageQuery): Promise<SourcePage> {
  const { filter, after, limit } = query
  const conditions = conditionsOf(source, filter)
  if (conditions === undefined) return NOTHING
  const select = (ranges: readonly TimeRange[]) =>
    selectRows(db, { source, conditions, ranges, after, limit })
  const fromMs = filter.fromMs ?? 0
  const toMs = Math.min(filter.toMs === undefined ? TIME_MAX_MS : filter.toMs - 1, after?.atMs ?? TIME_MAX_MS)
  if (conditions.length === 0) return { rows: await select([{ fromMs, toMs }]), ...FULL }

  const rows: LoggedRequest[] = []
  const tailMs = Math.max(fromMs, (await findSpansEnd(db, source)) + 1)
  let endMs = toMs
  for (let step = 0; endMs >= tailMs; step += 1) {
    if (step === TAIL_STEPS_MAX) return { rows, unreadBeforeMs: endMs + 1 }
    const beginMs = await findStepBegin(db, source, { fromMs: tailMs, toMs: endMs })
    rows.push(...(await select([{ fromMs: beginMs, toMs: endMs }])))
    if (rows.length >= limit) return { rows: rows.slice(0, limit), ...FULL }
    endMs = beginMs - 1
  }

  const spans = await findSpans(db, source, { filter, fromMs, toMs: endMs })
  let next = 0
  for (const count of SPANS_PER_STATEMENT) {
    const some = spans.slice(next, next + count)
    if (some.length === 0) return { rows, ...FULL }
    rows.push(...(await select(some.map((span) => within(span, { fromMs, toMs })))))
    if (rows.length >= limit) return { rows: rows.slice(0, limit), ...FULL }
    next += count
  }
  return { rows, unreadBeforeMs: spans.length < SPANS_MAX ? undefined : spans.at(-1)?.fromMs }
}

interface TimeRange {
  fromMs: number
  toMs: number
}

/** Time beyond all others, which both engines store exactly. */
const TIME_MAX_MS = 8_640_000_000_000_000

function within(span: TimeRange, { fromMs, toMs }: TimeRange): TimeRange {
  return { fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }
}

/** Reads each range in its own subselect, because a join with the spans would not use the index. */
async function selectRows(
  db: Db,
  input: {
    source: LogSource
    conditions: readonly RawBuilder<unknown>[]
    ranges: readonly TimeRange[]
    after: LogPosition | undefined
    limit: number
  },
): Promise<LoggedRequest[]> {
  const { source, conditions, ranges, after, limit } = input
  const { name, at, columns } = source
  const behind =
    after === undefined ? [] : [sql`(${at}, id) < (cast(${after.atMs} as bigint), cast(${after.id} as text))`]
  const parts = ranges.map(({ fromMs, toMs }) => {
    const where = [sql`${at} >= ${fromMs}`, sql`${at} <= ${toMs}`, ...behind, ...conditions]
    return sql`
      select * from (select ${columns} from ${sql.table(name)} where ${sql.join(where, sql` and `)}
      order by ${at} desc, id desc limit ${limit}) as part`
  })
  const { rows } = await sql<Omit<LoggedRequest, 'taskId'>>`
    ${sql.join(parts, sql` union all `)} order by "atMs" desc, id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, taskId: null }))
}

/** Returns the first millisecond of a step. A step has about `TAIL_ROWS` rows, and all rows of each millisecond. */
async function findStepBegin(db: Db, { name, at }: LogSource, { fromMs, toMs }: TimeRange): Promise<number> {
  const { rows } = await sql<{ atMs: number }>`
    select ${at} as "atMs" from ${sql.table(name)} where ${at} >= ${fromMs} and ${at} <= ${toMs}
    order by ${at} desc limit 1 offset ${TAIL_ROWS}`.execute(db)
  return rows[0]?.atMs ?? fromMs
}

/** Returns the latest spans that may have matching rows, without overlaps, newest first. */
async function findSpans(
  db: Db,
  source: LogSource,
  { filter, fromMs, toMs }: TimeRange & { filter: RequestFilter },
): Promise<TimeRange[]> {
  const keyIds = filter.userId === undefined ? [] : await findKeys(db, filter.userId)
  const where = [
    sql`source = ${source.name}`,
    sql`to_ms >= ${fromMs}`,
    sql`from_ms <= ${toMs}`,
    ...spanConditionsOf(source, filter, keyIds),
  ]
  const { rows } = await sql<TimeRange>`
    select from_ms as "fromMs", to_ms as "toMs" from log_spans where ${sql.join(where, sql` and `)}
    order by to_ms desc limit ${SPANS_MAX}`.execute(db)
  return rows.map((span, at) => ({
    ...span,
    toMs: Math.min(span.toMs, (rows[at - 1]?.fromMs ?? TIME_MAX_MS) - 1),
  }))
}

async function findKeys(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from api_keys where user_id = ${userId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Maximum number of tasks that a page reads for filters without an index. */
const TASKS_MAX = 20_000

/** Reads video tasks by their ids, which begin with the time. A created task was answered with 200. */
async function pageVideos(db: Db, { filter, after, limit }: RequestPageQuery): Promise<SourcePage> {
  if (filter.status !== undefined && filter.status !== 200) return { rows: [], unreadBeforeMs: undefined }
  const bounds = [
    ...(filter.fromMs === undefined ? [] : [sql`video_tasks.id >= ${taskIdAt(filter.fromMs)}`]),
    ...(filter.toMs === undefined ? [] : [sql`video_tasks.id < ${taskIdAt(filter.toMs)}`]),
    ...(after === undefined ? [] : [sql`video_tasks.id < ${boundBehind(after)}`]),
    ...equal('video_tasks.organization_id', filter.organizationId),
    ...equal('video_tasks.model', filter.model),
  ]
  const others = [
    ...equal('video_tasks.api_key_id', filter.keyId),
    ...equal('video_tasks.user_id', filter.userId),
    ...equal('video_tasks.provider', filter.provider),
    ...equal('video_tasks.error_code', filter.code),
    ...(filter.isFailed ? [sql`video_tasks.error_code is not null`] : []),
    ...(filter.minCostMicros === undefined ? [] : [sql`${COST} >= ${filter.minCostMicros}`]),
  ]
  const unreadFrom = others.length === 0 ? undefined : await findUnread(db, bounds)
  const read = unreadFrom === undefined ? [] : [sql`video_tasks.id > ${unreadFrom}`]
  const { rows } = await sql<VideoRow>`
    select ${COLUMNS} from video_tasks
    left join holds on holds.task_id = video_tasks.id
    left join ledger_entries on ledger_entries.hold_id = holds.id and ledger_entries.kind = 'settlement'
    ${whereAll([...bounds, ...others, ...read])}
    order by video_tasks.id desc limit ${limit}`.execute(db)
  const isCut = unreadFrom !== undefined && rows.length < limit
  return { rows: rows.map(toLogged), unreadBeforeMs: isCut ? timeIn(unreadFrom) + 1 : undefined }
}

type VideoRow = Pick<
  LoggedRequest,
  'id' | 'requestId' | 'organizationId' | 'keyId' | 'userId' | 'model' | 'servedBy' | 'provider' | 'code'
> & { cost: number }

/** Cost before refunds, with the part that the balance did not cover. */
const COST = sql`coalesce(ledger_entries.loss_micros - ledger_entries.amount_micros, 0)`

const COLUMNS = sql`
  video_tasks.id, video_tasks.request_id as "requestId", video_tasks.organization_id as "organizationId",
  video_tasks.api_key_id as "keyId", video_tasks.user_id as "userId", video_tasks.model,
  coalesce(video_tasks.served_model, video_tasks.model) as "servedBy", video_tasks.provider,
  video_tasks.error_code as code, ${COST} as cost`

function toLogged({ cost, ...row }: VideoRow): LoggedRequest {
  return {
    ...row,
    atMs: timeIn(row.id),
    operation: 'video.create',
    status: 200,
    inputTokens: null,
    outputTokens: null,
    costMicros: micros(cost),
    firstTokenMs: null,
    durationMs: null,
    taskId: row.id,
    notKept: null,
  }
}

/** Returns the first task that the page does not read; undefined when it reads all. */
async function findUnread(db: Db, bounds: readonly RawBuilder<unknown>[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from video_tasks ${whereAll(bounds)} order by id desc limit 1 offset ${TASKS_MAX}`.execute(db)
  return rows[0]?.id
}

function whereAll(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** Bounds the task ids. In the same millisecond, tasks are listed between usage rows and refused requests. */
function boundBehind({ atMs, id }: LogPosition): string {
  if (id.startsWith('task_')) return id
  return taskIdAt(id > 'task_' ? atMs + 1 : atMs)
}

const TIME_DIGITS = /^task_([0-9a-f]{12})/

function timeIn(id: string): number {
  return Number.parseInt(TIME_DIGITS.exec(id)?.[1] ?? '0', 16)
}
