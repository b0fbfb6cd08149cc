import type { Micros } from '../../domain/billing/micros.ts'
import type { TextReserve } from '../../domain/billing/reserve-for-text.ts'
import type { UserDay } from '../../ports/day-buckets.ts'
import type { DayMove } from '../../ports/ledger.ts'

/** A part of a user's day that a request has reserved before its cost is known. */
export interface DayReservation extends UserDay {
  life: string
  amountMicros: Micros
  /** Whether the request may cost more than this amount. */
  isUncovered?: boolean
}

export interface SpendingDays {
  /**
   * Returns undefined for a user without a limit. Refuses with `daily_limit_exceeded`, or with `funds_in_use` if running
   * requests take too long to free the amount that this request needs.
   */
  reserve(
    userId: string,
    reserve: TextReserve,
  ): DayReservation | undefined | Promise<DayReservation | undefined>
  /** Applies a stored move in place of the reservation. */
  apply(reservation: DayReservation | undefined, move: DayMove): Promise<void>
  /** Frees a reservation for which the store wrote nothing. */
  letGo(reservation: DayReservation): Promise<void>
  /** Rebuilds the bucket from the store, after a write whose result is not known. */
  recount(reservation: DayReservation): Promise<void>
}
