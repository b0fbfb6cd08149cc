import { type RawBuilder, sql } from 'kysely'
import type { DueClaim, More } from '../../ports/tasks.ts'
import type { EngineTraits } from './engine-traits.ts'
import { claimRows, type Queue } from './fair-claim.ts'
import type { Db } from './tables.ts'

interface QueuedAttempt {
  id: string
  organizationId: string
  state: string
  attempt: number
  attemptsAllowed: number
  fence: number
}

type ClaimedAttempt<Row> = Omit<Row, 'state' | 'attemptsAllowed'> & { attemptsLeft: number }

/** Claims due rows of a queue whose rows have a limited number of attempts, with some columns of each. */
export async function claimAttempts<Columns>(
  db: Db,
  leased: { queue: Queue; columns: RawBuilder<Columns> },
  claim: DueClaim,
  traits: EngineTraits,
): Promise<{
  due: ClaimedAttempt<QueuedAttempt & Columns>[]
  abandoned: ClaimedAttempt<QueuedAttempt & Columns>[]
  more: More
}> {
  const { rows, more } = await claimRows(db, leasedAttempts(leased), claim, traits)
  const isAbandoned = ({ state }: QueuedAttempt) => state === 'given-up'
  return {
    due: rows.filter((row) => !isAbandoned(row)).map(toClaimed),
    abandoned: rows.filter(isAbandoned).map(toClaimed),
    more,
  }
}

/** A row without attempts left is given up: the process of its last attempt died before it recorded the result. */
export function leasedAttempts<Columns>(leased: { queue: Queue; columns: RawBuilder<Columns> }) {
  return {
    queue: leased.queue,
    columns: sql<QueuedAttempt & Columns>`
      id, organization_id as "organizationId", state, attempt_count as attempt,
      attempts_allowed as "attemptsAllowed", fence, ${leased.columns}`,
    also: sql`,
      state = case when attempt_count < attempts_allowed then state else 'given-up' end,
      attempt_count = case when attempt_count < attempts_allowed then attempt_count + 1 else attempt_count end`,
  }
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
