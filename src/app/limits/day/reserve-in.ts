import { ApiError } from '../../../domain/api-error.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { bucketExpiresAtMs } from '../../../domain/limits/bucket-expiry.ts'
import type { Calendar } from '../../../domain/limits/calendar-day.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { DayBuckets, Reservation, UserDay } from '../../../ports/day-buckets.ts'
import type { LedgerStore } from '../../../ports/ledger.ts'

export interface DayAmount extends UserDay {
  amountMicros: Micros
  limitMicros: Micros
}

const ATTEMPTS_MAX = 20

/** The error for a day on which usage and other reservations leave too little. */
export class OverDay extends ApiError {
  readonly leftMicros: number

  constructor(leftMicros: number, retryAfterSeconds: number) {
    super('daily_limit_exceeded', { retryAfterSeconds })
    this.leftMicros = leftMicros
  }
}

/** Reserves in one engine, and builds a missing bucket from the store. Returns the bucket's `life` (see `DayBuckets`). */
export function reserveIn(input: {
  ledger: Pick<LedgerStore, 'readDay'>
  calendar: Calendar
  clock: Clock
}): (buckets: DayBuckets, wanted: DayAmount) => string | Promise<string> {
  const { ledger, calendar, clock } = input
  return (buckets, wanted) => {
    const first = buckets.reserve(wanted, wanted.amountMicros)
    return !(first instanceof Promise) && first.kind === 'reserved'
      ? first.life
      : buildUntilReserved(buckets, wanted, first)
  }

  async function buildUntilReserved(
    buckets: DayBuckets,
    { userId, day, amountMicros, limitMicros }: DayAmount,
    first: Reservation | Promise<Reservation>,
  ): Promise<string> {
    let pending = first
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const found = await pending
      if (found.kind === 'reserved') return found.life
      if (found.kind === 'over') throw overLimit(day, found.limitMicros - found.usedMicros)
      const stored = await ledger.readDay({ userId, day })
      const expiresAtMs = bucketExpiresAtMs({ calendar, day, nowMs: clock.nowMs() })
      await buckets.build(userId, { day, life: found.life, expiresAtMs, limitMicros, stored })
      pending = buckets.reserve({ userId, day }, amountMicros)
    }
    throw new Error('the bucket of a day vanished faster than it could be built')
  }

  function overLimit(day: string, leftMicros: number): OverDay {
    const leftSeconds = Math.ceil((calendar.endOf(day) - clock.nowMs()) / 1_000)
    return new OverDay(leftMicros, Math.max(1, leftSeconds))
  }
}
