import { type RawBuilder, sql } from 'kysely'
import { micros } from '../../../domain/billing/micros.ts'
import type { LoggedRequest, LogPosition, RequestPageQuery } from '../../../ports/request-log.ts'
import { equal } from '../page-of.ts'
import type { Db } from '../tables.ts'
import { taskIdAt } from '../tasks/tasks-for-operator.ts'
import type { SourcePage } from './log-sources.ts'

/** Maximum number of tasks that a page reads for filters without an index. */
const TASKS_MAX = 20_000

/** Reads video tasks by their ids, which begin with the time. A created task was answered with 200. */
export async function pageVideos(db: Db, { filter, after, limit }: RequestPageQuery): Promise<SourcePage> {
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

/** Bounds the task ids: in one millisecond tasks come between usage rows and refused requests. */
function boundBehind({ atMs, id }: LogPosition): string {
  if (id.startsWith('task_')) return id
  return taskIdAt(id > 'task_' ? atMs + 1 : atMs)
}

const TIME_DIGITS = /^task_([0-9a-f]{12})/

function timeIn(id: string): number {
  return Number.parseInt(TIME_DIGITS.exec(id)?.[1] ?? '0', 16)
}
