import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { AbandonedCallback, DueCallback } from '../../../ports/callbacks.ts'
import type { EngineTraits } from '../engine-traits.ts'
import type { Tables } from '../tables.ts'
import { UNKNOWN } from './unknown.ts'

interface Claim {
  nowMs: number
  leaseUntilMs: number
  limit: number
  except: readonly string[]
}

type CallbackRow = Selectable<Tables['video_callbacks']>

export async function claimDueCallbacks(
  db: Kysely<Tables>,
  claim: Claim,
  traits: EngineTraits,
): Promise<{ due: DueCallback[]; abandoned: AbandonedCallback[] }> {
  const { rows } = await claimDueCallbacksQuery(claim, traits).execute(db)
  const due = rows
    .filter(({ state }) => state === 'pending')
    .map(toDueCallback)
    .toSorted(byId)
  if (due.length > 0) await listAsUnknown(db, due, claim.nowMs)
  const abandoned = rows
    .filter(({ state }) => state !== 'pending')
    .map(({ id, task_id, organization_id }) => ({ id, taskId: task_id, organizationId: organization_id }))
  return { due, abandoned }
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
  { nowMs, leaseUntilMs, limit, except }: Claim,
  { lockFreeRows }: EngineTraits,
): RawBuilder<CallbackRow> {
  const others = except.length === 0 ? sql`` : sql`and organization_id not in (${sql.join(except)})`
  return sql`
    with due as materialized (
      select id from video_callbacks where state = 'pending' and next_attempt_at_ms <= ${nowMs} ${others}
      order by next_attempt_at_ms limit ${limit} ${lockFreeRows}
    )
    update video_callbacks set
      state = case when attempt_count < attempts_allowed then 'pending' else 'given-up' end,
      attempt_count = case when attempt_count < attempts_allowed then attempt_count + 1 else attempt_count end,
      next_attempt_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due) returning *`
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
