import { sql } from 'kysely'
import { violationsOf } from './invariant.ts'

const HOLDS_AGAINST_TASKS = sql`
  select holds.id,
    'The hold belongs to ' || holds.organization_id || ', and its task ' || video_tasks.id || ' to '
      || video_tasks.organization_id || '.' as message
  from holds join video_tasks on video_tasks.id = holds.task_id
  where holds.organization_id <> video_tasks.organization_id`

const ENTRIES_AGAINST_HOLDS = sql`
  select ledger_entries.id,
    'The ' || ledger_entries.kind || ' belongs to ' || ledger_entries.organization_id || ', and its hold '
      || holds.id || ' to ' || holds.organization_id || '.'
  from ledger_entries join holds on holds.id = ledger_entries.hold_id
  where ledger_entries.organization_id <> holds.organization_id`

const REFUNDS_WITHOUT_CHARGE = sql`
  select id, 'The refund is for the hold ' || coalesce(hold_id, '(none)') || ', which was never charged.'
  from ledger_entries
  where kind = 'refund' and usage_id is null and not exists (
    select 1 from ledger_entries as charges
    where charges.kind = 'settlement' and charges.hold_id = ledger_entries.hold_id
  )`

/** A task belongs to the same organization as its hold, its charge and its refunds. */
export const holdsKeepToTheirOrganization = violationsOf(
  ({ limit }) => sql<{ id: string; message: string }>`
    ${HOLDS_AGAINST_TASKS} union all ${ENTRIES_AGAINST_HOLDS} union all ${REFUNDS_WITHOUT_CHARGE}
    order by id limit ${limit}`,
  ({ message }) => message,
)
