import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { CallbackStore, DueCallback } from '../../../ports/callbacks.ts'
import type { EngineTraits } from '../engine-traits.ts'
import { countByOrganization, dueRows, type Queue, shareOut } from '../fair-claim.ts'
import type { Tables } from '../tables.ts'
import { UNKNOWN } from './unknown.ts'

type Claim = Parameters<CallbackStore['claimDue']>[0]

type CallbackRow = Pick<
  Selectable<Tables['video_callbacks']>,
  'id' | 'task_id' | 'organization_id' | 'state' | 'attempt_count' | 'attempts_allowed' | 'fence'
>

/** The state stands in the text, not among the parameters: planners match it with the index's own condition. */
export const DUE_CALLBACKS: Queue = {
  table: 'video_callbacks',
  waiting: sql`state = 'pending'`,
  moment: 'next_attempt_at_ms',
}

export async function claimDueCallbacks(
  db: Kysely<Tables>,
  claim: Claim,
  traits: EngineTraits,
): ReturnType<CallbackStore['claimDue']> {
  const { shares, moreAfter } = await shareOut(db, DUE_CALLBACKS, claim)
  if (shares.length === 0) return { due: [], abandoned: [], more: moreAfter(new Map()) }
  const { rows } = await claimDueCallbacksQuery({ ...claim, shares }, traits).execute(db)
  const due = rows
    .filter(({ state }) => state === 'pending')
    .map(toDueCallback)
    .toSorted(byId)
  if (due.length > 0) await listAsUnknown(db, due, claim.nowMs)
  const abandoned = rows
    .filter(({ state }) => state !== 'pending')
    .map(({ id, task_id, organization_id }) => ({ id, taskId: task_id, organizationId: organization_id }))
  return { due, abandoned, more: moreAfter(countByOrganization(rows)) }
}

/** Whoever dies while sending leaves this behind: without it, nobody could see that an attempt was used up. */
async function listAsUnknown(db: Kysely<Tables>, due: readonly DueCallback[], atMs: number): Promise<void> {
  const rows = due.map(({ taskId, attempt }) => sql`(${taskId}, ${attempt}, ${atMs}, ${UNKNOWN})`)
  await sql`
    insert into callback_attempts (task_id, attempt, at_ms, error) values ${sql.join(rows)}
    on conflict do nothing`.execute(db)
}

/** One that is due with all its attempts used was being sent for the last time when its courier died: it is over. */
export function claimDueCallbacksQuery(
  {
    nowMs,
    leaseUntilMs,
    shares,
  }: Pick<Claim, 'nowMs' | 'leaseUntilMs'> & { shares: Parameters<typeof dueRows>[1] },
  { lockFreeRows }: EngineTraits,
): RawBuilder<CallbackRow> {
  return sql`
    with due as materialized (${dueRows(DUE_CALLBACKS, shares, { nowMs, lockFreeRows })})
    update video_callbacks set
      state = case when attempt_count < attempts_allowed then 'pending' else 'given-up' end,
      attempt_count = case when attempt_count < attempts_allowed then attempt_count + 1 else attempt_count end,
      next_attempt_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due)
    returning id, task_id, organization_id, state, attempt_count, attempts_allowed, fence`
}

function toDueCallback(row: CallbackRow): DueCallback {
  return {
    id: row.id,
    taskId: row.task_id,
    organizationId: row.organization_id,
    attempt: row.attempt_count,
    attemptsLeft: row.attempts_allowed - row.attempt_count,
    fence: row.fence,
  }
}

/** Ids sort by time. */
function byId(one: DueCallback, other: DueCallback): number {
  return one.id < other.id ? -1 : 1
}
