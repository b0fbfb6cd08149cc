import { Lease } from '../../../src/app/billing/lease.ts'
import type { DayReservation } from '../../../src/app/billing/spending-days.ts'
import type { Spent, UsageClaim } from '../../../src/app/billing/spent.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { UsageRow } from '../../../src/ports/usage.ts'
import { MORNING_MS } from '../store/sample-rows.ts'
import { DAY, usageOf } from './replica.ts'

export function sampleLease(holdId = 'hold_1'): Lease {
  return new Lease({ holdId, amountMicros: micros(1_000), atMs: 0 })
}

export function sampleSpent(
  id: string,
  part: {
    row?: Partial<UsageRow>
    lease?: Lease
    life?: string
    reserved?: number
    claim?: UsageClaim
  } = {},
): Spent {
  const row = {
    ...usageOf(10),
    id,
    organizationId: 'org_1',
    userId: 'usr_1',
    keyId: 'key_1',
    day: DAY,
    createdAtMs: MORNING_MS,
    ...part.row,
  }
  return { row, lease: part.lease ?? sampleLease(), reservation: reservationOf(row, part), claim: part.claim }
}

function reservationOf(
  { userId, day }: UsageRow,
  { life, reserved = 30 }: { life?: string; reserved?: number },
): DayReservation | undefined {
  if (life === undefined) return undefined
  return { userId, day, life, amountMicros: micros(reserved) }
}
