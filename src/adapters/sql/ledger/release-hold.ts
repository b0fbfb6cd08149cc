import type { Kysely } from 'kysely'
import type { DayMove } from '../../../ports/ledger.ts'
import type { Tables } from '../tables.ts'
import { moveDay } from '../user-days/move-days.ts'
import { endHold } from './end-hold.ts'
import { lowerHeld } from './lower-held.ts'

export async function releaseHold(
  db: Kysely<Tables>,
  { holdId, atMs }: { holdId: string; atMs: number },
): Promise<DayMove | undefined> {
  const hold = await endHold(db, { holdId, state: 'released', atMs })
  if (hold === undefined) return undefined
  const day = await moveDay(db, { userId: hold.userId, day: hold.day, delta: -hold.amount })
  await lowerHeld(db, hold)
  return day
}
