import type { UsageRow } from '../../ports/usage.ts'
import type { Lease } from './lease.ts'
import type { DayReservation } from './spending-days.ts'

/** A finished request on its way to the store. */
export interface Spent {
  row: UsageRow
  /** What it is paid from. */
  lease: Lease
  /** What it had reserved of its user's day; undefined for a user without a limit. */
  reservation: DayReservation | undefined
}
