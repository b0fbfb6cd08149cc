import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import { holdsKeepToTheirOrganization } from './holds-keep-to-their-organization.ts'
import type { Invariant } from './invariant.ts'

/** A task's hold is open, settled, released or expired, and only a settled one has an entry. */
export const tasksHaveOneEndOfTheirHold: Invariant = async (db, query) => {
  const { limit } = query
  const violations = [
    ...(await tasksWithoutHold(db, limit)),
    ...(await tasksAgainstTheirHold(db, limit)),
    ...(await holdsAgainstTheirEntries(db, limit)),
    ...(await holdsKeepToTheirOrganization(db, query)),
  ]
  return violations.slice(0, limit)
}

/** A unique key prevents a second hold of a task. */
async function tasksWithoutHold(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from video_tasks
    where status <> 'submitting' and not exists (select 1 from holds where holds.task_id = video_tasks.id)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id, status }) => ({ subject: id, message: `The task is ${status} and has no hold.` }))
}

/** A settled task has succeeded; a released one has failed or was cancelled. Any hold may expire. */
async function tasksAgainstTheirHold(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; status: string; hold_id: string; state: string }>`
    select video_tasks.id, status, holds.id as hold_id, holds.state
    from holds join video_tasks on video_tasks.id = holds.task_id
    where (holds.state = 'open' and status in ('succeeded', 'failed', 'cancelled'))
      or (holds.state = 'settled' and status <> 'succeeded')
      or (holds.state = 'released' and status not in ('failed', 'cancelled'))
    order by video_tasks.id limit ${limit}`.execute(db)
  return rows.map(({ id, status, hold_id, state }) => ({
    subject: id,
    message: `The task is ${status} and its hold ${hold_id} is ${state}.`,
  }))
}

async function holdsAgainstTheirEntries(db: Db, limit: number) {
  const { rows } = await sql<{ id: string; state: string; entry_count: number }>`
    select holds.id, holds.state, count(ledger_entries.id) as entry_count
    from holds left join ledger_entries on ledger_entries.hold_id = holds.id and ledger_entries.kind = 'settlement'
    group by holds.id, holds.state
    having count(ledger_entries.id) <> case when holds.state = 'settled' then 1 else 0 end
    order by holds.id limit ${limit}`.execute(db)
  return rows.map(({ id, state, entry_count }) => ({
    subject: id,
    message: `The hold is ${state} and has ${entry_count} settlement entries.`,
  }))
}
