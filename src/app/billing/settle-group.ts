import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { UserDay } from '../../ports/day-buckets.ts'
import type { DayMove } from '../../ports/ledger.ts'
import type { UsageCharge, WrittenUsage } from '../../ports/usage.ts'
import type { Runtime } from '../runtime.ts'
import type { Lease } from './lease.ts'
import type { DayReservation, SpendingDays } from './spending-days.ts'
import type { Spent } from './spent.ts'

export interface GroupEnd {
  written(spents: readonly Spent[], result: WrittenUsage): void
  /** Handles rows that will never be written. The organization keeps its money. */
  lost(spents: readonly Spent[], reason: unknown): void
  /** Resolves when all changes of users' days that run now have ended. */
  daysDone(): Promise<void>
}

export function createGroupEnd(
  tools: Pick<Runtime, 'log' | 'metrics'> & {
    days: SpendingDays
    /** Called before the paid money is free again. */
    onCharge(charge: UsageCharge): void
  },
): GroupEnd {
  const { days, log, metrics, onCharge } = tools
  /** Running changes of users' days. The next group does not wait for them, because the cache may be slow or unreachable. */
  const unfinished = new Set<Promise<void>>()
  const inBackground = (work: Promise<unknown>) => {
    const done: Promise<void> = work.then(
      () => {
        unfinished.delete(done)
      },
      (error: unknown) => {
        unfinished.delete(done)
        log.warn('usage.day_failed', { error })
      },
    )
    unfinished.add(done)
  }

  function giveUp(spents: readonly Spent[]): void {
    let costMicros = 0
    for (const { row, lease, reservation, claim, awaited } of spents) {
      costMicros += row.costMicros
      lease.rowWritten(row.costMicros)
      lease.paidElsewhere(row.costMicros)
      claim?.ended()
      awaited?.ended(false)
      if (reservation !== undefined) inBackground(days.letGo(reservation))
    }
    metrics.moneyLost(micros(costMicros))
  }

  return {
    written(all, { charges, days: moves, paidMicros, superseded = [] }) {
      for (const charge of charges) onCharge(charge)
      const spents = superseded.length === 0 ? all : all.filter(({ row }) => !superseded.includes(row.id))
      if (superseded.length > 0) {
        giveUp(all.filter(({ row }) => superseded.includes(row.id)))
        log.warn('usage.claimed_elsewhere', { count: superseded.length })
      }
      settleLeases(spents, charges, paidMicros)
      for (const { claim, awaited } of spents) {
        claim?.ended()
        awaited?.ended(true)
      }
      for (const { organizationId, lossMicros } of charges) {
        if (lossMicros === 0) continue
        metrics.moneyLost(lossMicros)
        log.warn('usage.loss', { organizationId, count: lossMicros })
      }
      const { changes, unknown } = shareDays(spents, moves)
      for (const { reservation, move } of changes) inBackground(days.apply(reservation, move))
      for (const day of unknown) inBackground(days.recount(day))
    },
    lost(spents, reason) {
      giveUp(spents)
      log.error('usage.lost', { count: spents.length, error: reason })
    },
    daysDone: async () => {
      await Promise.all(unfinished)
    },
  }
}

/**
 * If an organization has no charge, an earlier attempt wrote its rows, but the answer was lost. The lease then counts their
 * whole cost as paid, so it may have less money left than the allowance in the store, never more.
 */
function settleLeases(
  spents: readonly Spent[],
  charges: readonly UsageCharge[],
  paidMicros: WrittenUsage['paidMicros'],
): void {
  for (const { row, lease } of spents) lease.rowWritten(row.costMicros)
  if (paidMicros !== undefined) {
    settleEachLease(spents, charges, paidMicros)
    return
  }
  const elsewhere = new Map<string, number>()
  for (const { organizationId, beyondMicros, lossMicros } of charges)
    elsewhere.set(organizationId, beyondMicros + lossMicros)
  for (const { row, lease } of spents) {
    lease.paidElsewhere(elsewhere.get(row.organizationId) ?? 0)
    elsewhere.delete(row.organizationId)
  }
}

/** When several leases of one organization paid, each gets back the cost that its own allowance did not pay. */
function settleEachLease(
  spents: readonly Spent[],
  charges: readonly UsageCharge[],
  paidMicros: Readonly<Record<string, Micros>>,
): void {
  const charged = new Set(charges.map(({ organizationId }) => organizationId))
  const costs = new Map<Lease, number>()
  for (const { row, lease } of spents)
    if (charged.has(row.organizationId)) costs.set(lease, (costs.get(lease) ?? 0) + row.costMicros)
  for (const [lease, cost] of costs) lease.paidElsewhere(cost - (paidMicros[lease.holdId] ?? 0))
}

interface SharedDays {
  /** Parts of a move, each with the reservation that it replaces. */
  changes: { reservation: DayReservation | undefined; move: DayMove }[]
  /** Reservations without a move: an earlier attempt wrote their rows, and its answer was lost. */
  unknown: DayReservation[]
}

/**
 * The store changes a user's day once for all rows of a group, but the rows may have reserved in different lives of the
 * day's bucket (`day-buckets.ts` says what a life is). Each life gets the cost of its own rows, under the same version. A
 * bucket knows by life and version which parts it has, so the parts count the whole change once.
 */
export function shareDays(group: readonly Spent[], moves: readonly DayMove[]): SharedDays {
  const shares = new Map<string, DayShare>()
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

interface DayShare extends UserDay {
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

function toChange({ reservation }: DayShare, move: DayMove, costMicros: number) {
  const deltaMicros: Micros = micros(costMicros)
  return { reservation, move: { ...move, deltaMicros } }
}
