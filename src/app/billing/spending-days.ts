import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { UserDay } from '../../ports/day-buckets.ts'
import type { DayMove } from '../../ports/ledger.ts'

/** A part of a user's day that a request has taken before it knows what it will cost. */
export interface DayReservation extends UserDay {
  life: string
  amountMicros: Micros
  /** Its request may cost more. */
  isUncovered?: boolean
}

/** The daily limits, as far as spending needs them. */
export interface SpendingDays {
  /**
   * Undefined for a user without a limit. Refuses with `daily_limit_exceeded`, or with `funds_in_use` where requests that
   * are running take too long to free what it needs beside them.
   */
  reserve(
    userId: string,
    reserve: TextReserve,
  ): DayReservation | undefined | Promise<DayReservation | undefined>
  /** The store has written the move; it takes the place of the reservation. */
  apply(reservation: DayReservation | undefined, move: DayMove): Promise<void>
  /** Nothing was written for it. */
  letGo(reservation: DayReservation): Promise<void>
  /** Something was written that we know too little about: the bucket is built again from the store. */
  recount(reservation: DayReservation): Promise<void>
}
