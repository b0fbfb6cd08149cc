import { type Kysely, sql } from 'kysely'
import type { HoldState } from '../../../domain/billing/hold.ts'
import { hotStatement } from '../hot-statement.ts'
import type { Tables } from '../tables.ts'

/** A hold for a task, as it was when it ended. */
export interface EndedHold {
  organizationId: string
  userId: string
  day: string
  amount: number
}

/** Who comes second finds it ended, or waits for the first and then finds it ended: undefined. */
export async function endHold(db: Kysely<Tables>, end: Ending): Promise<EndedHold | undefined> {
  const { rows } = await updateHold(db, end)
  return rows[0]
}

interface Ending {
  holdId: string
  state: Exclude<HoldState, 'open'>
  atMs: number
}

const updateHold = hotStatement<Ending, EndedHold>(
  ({ holdId, state, atMs }) => sql`
    update holds set state = ${state}, ended_at_ms = ${atMs}
    where id = ${holdId} and state = 'open' and kind = 'task'
    returning organization_id as "organizationId", user_id as "userId", day, amount_micros as amount`,
)
