import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { UserDay } from '../../ports/day-buckets.ts'
import type { DayMove } from '../../ports/ledger.ts'
import type { DayReservation } from './spending-days.ts'
import type { Spent } from './spent.ts'

export interface SharedDays {
  /** Each part of a move with the reservations it takes the place of. */
  changes: { reservation: DayReservation | undefined; move: DayMove }[]
  /** Written by an earlier try whose answer was lost: reserved for, but without a move. */
  unknown: DayReservation[]
}

/**
 * The store moves a user's day once for all rows of a group, but the rows may have been reserved in different lives of
 * the day's bucket. Each life gets the part of the move that its own rows cost, under the same version: whether a part is
 * in the bucket already is decided by life and version, so together they count the move once.
 */
export function shareDays(group: readonly Spent[], moves: readonly DayMove[]): SharedDays {
  const shares = new Map<string, Share>()
  for (const { row, reservation } of group) {
    const { userId, day, costMicros } = row
    const key = `${reservation?.life} ${keyOf(row)}`
    const share = shares.get(key) ?? { userId, day, costMicros: 0, reservation: undefined }
    share.costMicros += costMicros
    share.reservation = joinReservations(share.reservation, reservation)
    shares.set(key, share)
  }
  const moveOf = new Map(moves.map((move) => [keyOf(move), move]))
  const result: SharedDays = { changes: [], unknown: [] }
  for (const share of shares.values()) {
    const move = moveOf.get(keyOf(share))
    if (move !== undefined) result.changes.push(toChange(share, move, share.costMicros))
    else if (share.reservation !== undefined) result.unknown.push(share.reservation)
  }
  return result
}

interface Share extends UserDay {
  costMicros: number
  reservation: DayReservation | undefined
}

function keyOf({ userId, day }: UserDay): string {
  return `${day} ${userId}`
}

function joinReservations(
  sum: DayReservation | undefined,
  one: DayReservation | undefined,
): DayReservation | undefined {
  if (sum === undefined || one === undefined) return one
  const isUncovered = sum.isUncovered === true || one.isUncovered === true
  return { ...sum, amountMicros: micros(sum.amountMicros + one.amountMicros), isUncovered }
}

function toChange({ reservation }: Share, move: DayMove, costMicros: number) {
  const deltaMicros: Micros = micros(costMicros)
  return { reservation, move: { ...move, deltaMicros } }
}
