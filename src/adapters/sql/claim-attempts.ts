import { type RawBuilder, sql } from 'kysely'
import type { DueClaim, More } from '../../ports/tasks.ts'
import type { EngineTraits } from './engine-traits.ts'
import { countByOrganization, dueRows, type Queue, shareOut } from './fair-claim.ts'
import type { Db } from './tables.ts'

interface QueuedAttempt {
  organizationId: string
  state: string
  attempt: number
  attemptsAllowed: number
}

type ClaimedAttempt<Row> = Omit<Row, 'state' | 'attemptsAllowed'> & { attemptsLeft: number }

/** Claims due rows of a queue whose rows have a limited number of attempts. */
export async function claimAttempts<Row extends QueuedAttempt>(
  db: Db,
  queue: Queue,
  columns: RawBuilder<Row>,
  claim: DueClaim,
  traits: EngineTraits,
): Promise<{ due: ClaimedAttempt<Row>[]; abandoned: ClaimedAttempt<Row>[]; more: More }> {
  const { shares, moreAfter } = await shareOut(db, queue, claim)
  if (shares.length === 0) return { due: [], abandoned: [], more: moreAfter(new Map()) }
  const { rows } = await claimAttemptsQuery(queue, columns, { ...claim, shares }, traits).execute(db)
  const isAbandoned = ({ state }: Row) => state === 'given-up'
  return {
    due: rows.filter((row) => !isAbandoned(row)).map(toClaimed),
    abandoned: rows.filter(isAbandoned).map(toClaimed),
    more: moreAfter(countByOrganization(rows.map(({ organizationId }) => organizationId))),
  }
}

/** Claims due rows. One without attempts left is given up: its last attempt died unrecorded. */
export function claimAttemptsQuery<Row>(
  queue: Queue,
  columns: RawBuilder<Row>,
  claim: Pick<DueClaim, 'nowMs' | 'leaseUntilMs'> & { shares: Parameters<typeof dueRows>[1] },
  { lockRowsSkippingLocked }: EngineTraits,
): RawBuilder<Row> {
  const { nowMs, leaseUntilMs, shares } = claim
  return sql`
    with due as materialized (${dueRows(queue, shares, { nowMs, lockRowsSkippingLocked })})
    update ${sql.table(queue.table)} set
      state = case when attempt_count < attempts_allowed then state else 'given-up' end,
      attempt_count = case when attempt_count < attempts_allowed then attempt_count + 1 else attempt_count end,
      next_attempt_at_ms = ${leaseUntilMs}, fence = fence + 1
    where id in (select id from due)
    returning ${columns}`
}

function toClaimed<Row extends QueuedAttempt>({ state, attemptsAllowed, ...row }: Row): ClaimedAttempt<Row> {
  return { ...row, attemptsLeft: attemptsAllowed - row.attempt }
}

/** Undoes a claim. The fence grows, so that a repeated call finds nothing to give back. */
export function giveBack({ table, waiting }: Queue) {
  return async (
    db: Db,
    { callbackId, fence, nextAttemptAtMs }: { callbackId: string; fence: number; nextAttemptAtMs: number },
  ): Promise<void> => {
    await sql`
      update ${sql.table(table)} set
        attempt_count = attempt_count - 1, next_attempt_at_ms = ${nextAttemptAtMs}, fence = fence + 1
      where id = ${callbackId} and fence = ${fence} and ${waiting}`.execute(db)
  }
}
