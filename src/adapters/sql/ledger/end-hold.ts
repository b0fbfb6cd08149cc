import { sql } from 'kysely'
import type { HoldState } from '../../../domain/billing/micros.ts'
import type { DayMove, LedgerStore } from '../../../ports/ledger.ts'
import { hotStatement } from '../hot-statement.ts'
import { type StatementsOf, write } from '../statement.ts'
import type { Db } from '../tables.ts'
import { moveDay } from './user-days.ts'

export const END_HOLD = { release: write(releaseHold) } satisfies Partial<StatementsOf<LedgerStore>>

export interface EndedHold {
  organizationId: string
  userId: string
  day: string
  amount: number
  /** Null for a hold older than this column. */
  keyId: string | null
}

/** Ends a hold. Returns undefined when it has ended already; a second transaction waits for the first. */
export async function endHold(db: Db, end: HoldEnding): Promise<EndedHold | undefined> {
  const { rows } = await updateHold(db, end)
  return rows[0]
}

interface HoldEnding {
  holdId: string
  state: Exclude<HoldState, 'open'>
  atMs: number
}

const updateHold = hotStatement<HoldEnding, EndedHold>(
  ({ holdId, state, atMs }) => sql`
    update holds set state = ${state}, ended_at_ms = ${atMs}
    where id = ${holdId} and state = 'open' and kind = 'task'
    returning organization_id as "organizationId", user_id as "userId", day, amount_micros as amount,
      api_key_id as "keyId"`,
)

export async function lowerHeld(db: Db, input: { organizationId: string; amount: number }): Promise<void> {
  const { organizationId, amount } = input
  await sql`
    update organizations set held_micros = held_micros - ${amount} where id = ${organizationId}`.execute(db)
}

export async function releaseHold(
  db: Db,
  { holdId, atMs }: { holdId: string; atMs: number },
): Promise<DayMove | undefined> {
  const hold = await endHold(db, { holdId, state: 'released', atMs })
  if (hold === undefined) return undefined
  const day = await moveDay(db, { userId: hold.userId, day: hold.day, delta: -hold.amount })
  await lowerHeld(db, hold)
  return day
}
