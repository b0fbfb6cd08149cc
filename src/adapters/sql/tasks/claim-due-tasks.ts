import { type RawBuilder, sql } from 'kysely'
import type { ClaimedTask, Far, NextPoll, TaskStore } from '../../../ports/tasks.ts'
import { bringForward } from '../bring-forward.ts'
import type { NamedRow } from '../columns-as.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { countByOrganization, dueRows, type Queue, shareOut } from '../fair-claim.ts'
import { hotListStatement, type SqlValue } from '../hot-statement.ts'
import { type StatementsOf, single } from '../statement.ts'
import { OPEN_TASK_COLUMNS, type TaskRow, toStoredTask } from './find-task.ts'

export const CLAIM_DUE_TASKS = {
  claimDue: single(async (db, claim, traits) => {
    const { shares, moreAfter } = await shareOut(db, dueTasks(claim.provider), claim)
    if (shares.length === 0) return { tasks: [], unreadable: [], more: moreAfter(new Map()) }
    const { rows } = await claimDueTasksQuery({ ...claim, shares }, traits).execute(db)
    const tasks: ClaimedTask[] = []
    const unreadable: { id: string; organizationId: string }[] = []
    for (const row of rows) {
      const task = readRow(row)
      if (task === undefined) unreadable.push({ id: row.id, organizationId: row.organizationId })
      else tasks.push(task)
    }
    const organizations = rows.map(({ organizationId }) => organizationId)
    return { tasks, unreadable, more: moreAfter(countByOrganization(organizations)) }
  }),

  bringForward: single(bringForward(({ provider }: Far & { provider: string }) => dueTasks(provider))),
  /** Postpones the row that a claim with `limit: 1` would take, without reading the row's values. */
  putOffNext: single(async (db, claim, { lockRowsSkippingLocked }) => {
    const { provider, nowMs, untilMs } = claim
    const queue = dueTasks(provider)
    const { shares } = await shareOut(db, queue, { ...claim, limit: 1 })
    const { rows } = await sql<{ id: string; organization_id: string }>`
      update video_tasks set next_poll_at_ms = ${untilMs}
      where id in (${dueRows(queue, shares, { nowMs, lockRowsSkippingLocked })})
      returning id, organization_id`.execute(db)
    return rows[0] && { id: rows[0].id, organizationId: rows[0].organization_id }
  }),

  /** Updates rows in the order of their ids, like every transaction with several rows. */
  reschedule: single(async (db, nexts) => {
    const sorted = nexts.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    for (let start = 0; start < sorted.length; start += LARGEST) {
      const group = sorted.slice(start, start + LARGEST)
      const size = SIZES.find((each) => each >= group.length) ?? LARGEST
      const rows = Array.from({ length: size }, (_, index) => group[index] ?? NO_TASK)
      await updatePolls(
        db,
        rows.flatMap(({ id, fence, nextPollAtMs, seenAtMs }) => [id, fence, nextPollAtMs, seenAtMs]),
      )
    }
  }),
} satisfies Partial<StatementsOf<TaskStore>>

type DueTasksClaim = Parameters<TaskStore['claimDue']>[0]

/** Longer values are not read, which bounds the memory of a claim. */
const VALUE_BYTES_MAX = 65_536

/** The values are literals, so that planners match them with the condition of the index. */
export function dueTasks(provider: string): Queue {
  const waiting = sql`provider = ${provider} and status in ('submitting', 'queued', 'running') and set_aside_at_ms is null`
  return { table: 'video_tasks', waiting, dueColumn: 'next_poll_at_ms' }
}

/**
 * Postpones claimed tasks to the end of their lease. So they leave the front of the index `video_tasks_due`,
 * and become due again if their sweep dies. Columns of error and end are not read, because an open task has
 * neither.
 */
export function claimDueTasksQuery(
  input: Pick<DueTasksClaim, 'provider' | 'nowMs' | 'leaseUntilMs'> & {
    shares: Parameters<typeof dueRows>[1]
  },
  { lockRowsSkippingLocked }: EngineTraits,
): RawBuilder<ClaimedRow> {
  const { provider, nowMs, leaseUntilMs, shares } = input
  return sql`
    with due as materialized (${dueRows(dueTasks(provider), shares, { nowMs, lockRowsSkippingLocked })})
    update video_tasks set next_poll_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due)
    returning ${OPEN_TASK_COLUMNS}, ${bounded('sealed_ticket')} as "encryptedTicket", ${bounded('pricing')} as pricing, fence,
      (octet_length(coalesce(sealed_ticket, '')) > ${sql.lit(VALUE_BYTES_MAX)}) as has_long_ticket`
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

/** Numbers of rows per statement, to which groups are filled up: few, so that they stay prepared. */
const SIZES = [1, 8, 64] as const
const LARGEST = 64
const NO_TASK: NextPoll = { id: '', fence: 0, nextPollAtMs: 0, seenAtMs: null }

const updatePolls = hotListStatement<SqlValue>(4, (rows) => {
  const values = rows.map(
    ([id, fence, nextPollAtMs, seenAtMs]) =>
      sql`(cast(${id} as text), cast(${fence} as bigint), cast(${nextPollAtMs} as bigint), cast(${seenAtMs} as bigint))`,
  )
  return sql`
    update video_tasks set
      next_poll_at_ms = next.column3, updated_at_ms = coalesce(next.column4, updated_at_ms)
    from (values ${sql.join(values)}) as next
    where video_tasks.id = next.column1 and video_tasks.fence = next.column2
      and video_tasks.status in ('submitting', 'queued', 'running')`
})
