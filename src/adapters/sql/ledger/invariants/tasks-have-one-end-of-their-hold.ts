import { sql } from 'kysely'
import { holdsKeepToTheirOrganization } from './holds-keep-to-their-organization.ts'
import { violationsOf } from './invariant.ts'

/** Every accepted task has a hold. A unique key prevents a second one. */
const tasksWithoutHold = violationsOf(
  ({ limit }) => sql<{ id: string; status: string }>`
    select id, status from video_tasks
    where status <> 'submitting' and not exists (select 1 from holds where holds.task_id = video_tasks.id)
    order by id limit ${limit}`,
  ({ status }) => `The task is ${status} and has no hold.`,
)

/** An ended task has no open hold. The task of a settled hold has succeeded, of a released hold failed or cancelled. */
const tasksAgainstTheirHold = violationsOf(
  ({ limit }) => sql<{ id: string; status: string; hold_id: string; state: string }>`
    select video_tasks.id, status, holds.id as hold_id, holds.state
    from holds join video_tasks on video_tasks.id = holds.task_id
    where (holds.state = 'open' and status in ('succeeded', 'failed', 'cancelled'))
      or (holds.state = 'settled' and status <> 'succeeded')
      or (holds.state = 'released' and status not in ('failed', 'cancelled'))
    order by video_tasks.id limit ${limit}`,
  ({ status, hold_id, state }) => `The task is ${status} and its hold ${hold_id} is ${state}.`,
)

const holdsAgainstTheirEntries = violationsOf(
  ({ limit }) => sql<{ id: string; state: string; entry_count: number }>`
    select holds.id, holds.state, count(ledger_entries.id) as entry_count
    from holds left join ledger_entries on ledger_entries.hold_id = holds.id and ledger_entries.kind = 'settlement'
    group by holds.id, holds.state
    having count(ledger_entries.id) <> case when holds.state = 'settled' then 1 else 0 end
    order by holds.id limit ${limit}`,
  ({ state, entry_count }) => `The hold is ${state} and has ${entry_count} settlement entries.`,
)

/** A task's hold is open, settled, released or expired, and only a settled one has an entry. */
export const tasksHaveOneEndOfTheirHold = [
  tasksWithoutHold,
  tasksAgainstTheirHold,
  holdsAgainstTheirEntries,
  holdsKeepToTheirOrganization,
]
