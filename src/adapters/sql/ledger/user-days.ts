import { sql } from 'kysely'
import { type Micros, micros, ZERO_MICROS } from '../../../domain/billing/micros.ts'
import type { UserDay } from '../../../ports/day-buckets.ts'
import type { DayMove, LedgerStore } from '../../../ports/ledger.ts'
import { hotStatement } from '../hot-statement.ts'
import { inChunks } from '../in-chunks.ts'
import { read, type StatementsOf } from '../statement.ts'
import type { Db } from '../tables.ts'

export const USER_DAYS = {
  readDay: read(async (db, { userId, day }) => {
    const { rows } = await sql<{ used_micros: number; version: number }>`
      select used_micros, version from user_days where user_id = ${userId} and day = ${day}`.execute(db)
    const row = rows[0]
    if (row === undefined) return { usedMicros: ZERO_MICROS, version: 0 }
    return { usedMicros: micros(row.used_micros), version: row.version }
  }),
} satisfies Partial<StatementsOf<LedgerStore>>

type Move = Omit<DayMove, 'version'>

export async function moveDay(
  db: Db,
  { userId, day, delta }: { userId: string; day: string; delta: number },
): Promise<DayMove> {
  const deltaMicros = micros(delta)
  const { rows } = await addToDay(db, { userId, day, deltaMicros })
  return { userId, day, deltaMicros, version: versionOf(rows[0]) }
}

const addToDay = hotStatement<Move, { version: number }>(
  ({ userId, day, deltaMicros }) => sql`
    insert into user_days (user_id, day, used_micros, version) values (${userId}, ${day}, ${deltaMicros}, 1)
    on conflict (user_id, day) do update
    set used_micros = user_days.used_micros + excluded.used_micros, version = user_days.version + 1
    returning version`,
)

/** Moves several days in one lock order, so that two transactions cannot deadlock. */
export async function moveDays(db: Db, moves: readonly Move[]): Promise<DayMove[]> {
  const moved: DayMove[] = []
  const sums = sumPerDay(moves)
  const [only] = sums
  // Most calls move one day of one user.
  if (sums.length === 1 && only !== undefined)
    return [await moveDay(db, { ...only, delta: only.deltaMicros })]
  for (const chunk of inChunks(sums.toSorted(byUserAndDay))) {
    const values = chunk.map(({ userId, day, deltaMicros }) => sql`(${userId}, ${day}, ${deltaMicros}, 1)`)
    const { rows } = await sql<{ user_id: string; day: string; version: number }>`
      insert into user_days (user_id, day, used_micros, version) values ${sql.join(values)}
      on conflict (user_id, day) do update
      set used_micros = user_days.used_micros + excluded.used_micros, version = user_days.version + 1
      returning user_id, day, version`.execute(db)
    for (const move of chunk) {
      const row = rows.find(({ user_id, day }) => user_id === move.userId && day === move.day)
      moved.push({ ...move, version: versionOf(row) })
    }
  }
  return moved
}

/** Adds up the moves of each day, because a statement changes a row only once. */
function sumPerDay(moves: readonly Move[]): Move[] {
  const sums = new Map<string, { userId: string; day: string; deltaMicros: Micros }>()
  for (const { userId, day, deltaMicros } of moves) {
    const key = `${day} ${userId}`
    const before = sums.get(key)?.deltaMicros ?? 0
    sums.set(key, { userId, day, deltaMicros: micros(before + deltaMicros) })
  }
  return [...sums.values()]
}

/** Order in which every transaction locks days. */
export function byUserAndDay(one: UserDay, other: UserDay): number {
  if (one.userId !== other.userId) return one.userId < other.userId ? -1 : 1
  return one.day < other.day ? -1 : 1
}

function versionOf(row: { version: number } | undefined): number {
  if (row === undefined) throw new Error('the day that was just written has no version')
  return row.version
}
