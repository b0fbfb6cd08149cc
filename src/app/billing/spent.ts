import type { UsageRow } from '../../ports/usage.ts'
import type { Lease } from './lease.ts'
import type { DayReservation } from './spending-days.ts'

/** The claim on an `Idempotency-Key` that a usage row finishes. */
export interface UsageClaim {
  readonly id: string
  charged(): void
  /** Called when the row is written, or never will be. */
  ended(): void
}

/** A usage row for which a kept reply waits: the reply can be read whole only once the row is written. */
export interface AwaitedRow {
  readonly id: string
  /** Resolves to true when the row is written, to false when it never will be. */
  readonly isWritten: Promise<boolean>
  ended(isWritten: boolean): void
}

export function awaitRow(id: string): AwaitedRow {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  return { id, isWritten: promise, ended: resolve }
}

export interface Spent {
  row: UsageRow
  lease: Lease
  /** Reserved amount of the user's day; undefined for a user without a limit. */
  reservation: DayReservation | undefined
  /** undefined for a request without an `Idempotency-Key`. */
  claim: UsageClaim | undefined
  /** undefined for a request whose reply does not wait for its row. */
  awaited?: AwaitedRow | undefined
}
