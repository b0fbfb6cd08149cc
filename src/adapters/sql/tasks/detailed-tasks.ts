import { type RawBuilder, sql } from 'kysely'
import type { DetailedRow, OwnTasks, TaskDetails, TaskDetailsStore } from '../../../ports/task-details.ts'
import { equal } from '../page-of.ts'
import { read, readLong, type StatementsOf } from '../statement.ts'
import { TASK_COLUMNS_WITH_CONTENT, type TaskRowWithContent, toTaskWithContent } from './find-task.ts'

export const DETAILED_TASKS = {
  findDetails: read(async (db, id) => {
    const { rows } = await sql<DetailColumns>`
      select ${DETAILS}, pricing from video_tasks where id = ${id}`.execute(db)
    return rows[0] === undefined ? undefined : toDetails(rows[0])
  }),

  /** Condition and order match the index `video_tasks_listed`. */
  listDetailed: read(async (db, { order, afterId, skip, limit, ...own }) => {
    const filters = filtersOf(own)
    const [compare, direction] = order === 'asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
    if (afterId !== undefined) {
      const { rows } = await sql<{ atMs: number }>`
        select created_at_ms as "atMs" from video_tasks
        where id = ${afterId} and api_key_id = ${own.keyId}`.execute(db)
      if (rows[0] === undefined) return undefined
      filters.push(sql`(created_at_ms, id) ${compare} (${rows[0].atMs}, ${afterId})`)
    }
    const { rows } = await sql<TaskRowWithContent & DetailColumns>`
      select ${TASK_COLUMNS_WITH_CONTENT}, ${DETAILS} from video_tasks
      where ${sql.join(filters, sql` and `)}
      order by created_at_ms ${direction}, id ${direction} limit ${limit} offset ${skip}`.execute(db)
    return rows.map((row): DetailedRow => ({ ...toTaskWithContent(row), ...toDetails(row) }))
  }, isFiltered),

  countOwn: readLong(async (db, { max, ...own }) => {
    const { rows } = await sql<{ count: number }>`
      select cast(count(*) as bigint) as count from (
        select 1 from video_tasks where ${sql.join(filtersOf(own), sql` and `)} limit ${max}
      ) as own`.execute(db)
    return rows[0]?.count ?? 0
  }),
} satisfies StatementsOf<TaskDetailsStore>

interface DetailColumns {
  ordered: string | null
  measured: string | null
  pricing: string
}

/** Reads `measured` from the latest attempt that succeeded. */
const DETAILS = sql`
  video_tasks.ordered, (
    select task_snapshots.measured from task_snapshots
    where task_snapshots.task_id = video_tasks.id and task_snapshots.status = 'succeeded'
    order by task_snapshots.attempt desc limit 1
  ) as measured`

function toDetails({ ordered, measured, pricing }: DetailColumns): TaskDetails {
  const { unit }: Pick<TaskDetails, 'unit'> = JSON.parse(pricing)
  return { ordered, measured, unit }
}

/** Tells whether a page may read many rows. */
function isFiltered({ unit, status, model, serviceTier, skip }: OwnTasks & { skip: number }): boolean {
  return [unit, status, model, serviceTier].some((filter) => filter !== undefined) || skip > 0
}

function filtersOf({ keyId, unit, status, errorCode, ids, model, serviceTier }: OwnTasks) {
  const filters: RawBuilder<unknown>[] = [
    sql`api_key_id = ${keyId} and deleted_at_ms is null and status <> 'submitting'`,
    ...equal('status', status),
    ...(model === undefined ? [] : [sql`coalesce(alias, model) = ${model}`]),
  ]
  if (unit !== undefined) filters.push(hasMember('pricing', 'unit', unit))
  if (serviceTier !== undefined) filters.push(hasMember('ordered', 'service_tier', serviceTier))
  if (errorCode !== undefined)
    filters.push(
      sql`(coalesce(error_code, '') = ${errorCode.code}) = ${errorCode.is ? sql`true` : sql`false`}`,
    )
  if (ids !== undefined) filters.push(ids.length === 0 ? sql`false` : sql`id in (${sql.join(ids)})`)
  return filters
}

/** Condition: our JSON has this member. A `like` is exact, because quotes in texts are escaped. */
function hasMember(column: 'pricing' | 'ordered', name: string, value: string): RawBuilder<unknown> {
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
  const pattern = `%${member.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`${sql.ref(column)} like ${pattern} escape '\\'`
}
