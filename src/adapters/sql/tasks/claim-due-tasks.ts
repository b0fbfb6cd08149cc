import { type RawBuilder, sql } from 'kysely'
import type { ClaimedTask, Far, NextPoll, TaskStore } from '../../../ports/tasks.ts'
import { bringForward } from '../bring-forward.ts'
import type { NamedRow } from '../columns-as.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { claimRows, dueRows, type Queue, shareOut } from '../fair-claim.ts'
import { hotListStatement, type SqlValue } from '../hot-statement.ts'
import { type StatementsOf, single } from '../statement.ts'
import { OPEN_TASK_COLUMNS, type TaskRow, toStoredTask } from './find-task.ts'

export const CLAIM_DUE_TASKS = {
  claimDue: single(async (db, claim, traits) => {
    const { rows, more } = await claimRows(db, dueTasks(claim.provider), claim, traits)
    const tasks: ClaimedTask[] = []
    const unreadable: { id: string; organizationId: string }[] = []
    for (const row of rows) {
      const task = readRow(row)
      if (task === undefined) unreadable.push({ id: row.id, organizationId: row.organizationId })
      else tasks.push(task)
    }
    return { tasks, unreadable, more }
  }),

  bringForward: single(bringForward(({ provider }: Far & { provider: string }) => dueTasks(provider).queue)),
  /** Postpones the row that a claim with `limit: 1` would take, without reading the row's values. */
  putOffNext: single(async (db, claim, { lockRowsSkippingLocked }) => {
    const { provider, nowMs, untilMs } = claim
    const { queue } = dueTasks(provider)
    const { shares } = await shareOut(db, queue, { ...claim, limit: 1 })
    const { rows } = await sql<{ id: string; organization_id: string }>`
      update video_tasks set next_poll_at_ms = ${untilMs}
      where id in (${dueRows(queue, shares, { nowMs, lockRowsSkippingLocked })})
      returning id, organization_id`.execute(db)
    return rows[0] && { id: rows[0].id, organizationId: rows[0].organization_id }
  }),

  reschedule: single(async (db, nexts, traits) => {
    for (let start = 0; start < nexts.length; start += LARGEST) {
      const group = nexts.slice(start, start + LARGEST)
      const size = SIZES.find((each) => each >= group.length) ?? LARGEST
      const rows = Array.from({ length: size }, (_, index) => group[index] ?? NO_TASK)
      const values = rows.flatMap((next) => [next.id, next.fence, next.nextPollAtMs, next.seenAtMs])
      await updatePolls(db, values, traits)
    }
  }),
} satisfies Partial<StatementsOf<TaskStore>>

/** Longer values are not read, which bounds the memory of a claim. */
const VALUE_BYTES_MAX = 65_536

/** Columns of error and end are not read, because an open task has neither. */
const DUE_COLUMNS = sql<ClaimedRow>`
  ${OPEN_TASK_COLUMNS}, ${bounded('sealed_ticket')} as "encryptedTicket", ${bounded('pricing')} as pricing, fence,
  (octet_length(coalesce(sealed_ticket, '')) > ${sql.lit(VALUE_BYTES_MAX)}) as has_long_ticket`

/** The statuses are literals, so that planners match them with the condition of the index. */
export function dueTasks(provider: string) {
  const waiting = sql`provider = ${provider} and status in ('submitting', 'queued', 'running') and set_aside_at_ms is null`
  const queue: Queue = { table: 'video_tasks', waiting, dueColumn: 'next_poll_at_ms' }
  return { queue, columns: DUE_COLUMNS }
}

type ClaimedRow = NamedRow<typeof OPEN_TASK_COLUMNS> &
  Pick<TaskRow, 'encryptedTicket'> & {
    pricing: string | null
    fence: number
    has_long_ticket: boolean | number
  }

function bounded(column: 'sealed_ticket' | 'pricing'): RawBuilder<unknown> {
  const name = sql.ref(column)
  return sql`case when octet_length(${name}) <= ${sql.lit(VALUE_BYTES_MAX)} then ${name} end`
}

/** Returns undefined for a row with values that are too long or damaged. */
function readRow({ pricing, fence, has_long_ticket, ...row }: ClaimedRow): ClaimedTask | undefined {
  if (pricing === null || has_long_ticket) return undefined
  const rest = { pricing, errorCode: null, errorMessage: null, completedAtMs: null, deletedAtMs: null }
  try {
    return { ...toStoredTask({ ...row, ...rest }), fence }
  } catch {
    return undefined
  }
}

/** Sizes of statements, in rows. A group is filled up to the next size, so that few statements have to stay prepared. */
const SIZES = [1, 8, 64] as const
const LARGEST = 64
const NO_TASK: NextPoll = { id: '', fence: 0, nextPollAtMs: 0, seenAtMs: null }

/** Locks rows in the order of their ids, like every transaction with several rows. */
const updatePolls = hotListStatement<SqlValue, unknown, [EngineTraits]>(4, (rows, { lockRows }) => {
  const values = rows.map(
    ([id, fence, nextPollAtMs, seenAtMs]) =>
      sql`(cast(${id} as text), cast(${fence} as bigint), cast(${nextPollAtMs} as bigint), cast(${seenAtMs} as bigint))`,
  )
  return sql`
    with next as materialized (
      select given.* from (values ${sql.join(values)}) as given join video_tasks on id = column1 order by id ${lockRows}
    )
    update video_tasks set
      next_poll_at_ms = next.column3, updated_at_ms = coalesce(next.column4, updated_at_ms)
    from next
    where video_tasks.id = next.column1 and video_tasks.fence = next.column2
      and video_tasks.status in ('submitting', 'queued', 'running')`
})
