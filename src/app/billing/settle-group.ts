import { micros } from '../../domain/billing/micros.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { UsageCharge, WrittenUsage } from '../../ports/usage.ts'
import { shareDays } from './share-days.ts'
import type { SpendingDays } from './spending-days.ts'
import type { Spent } from './spent.ts'

/** What follows when rows have left the buffer. */
export interface GroupEnd {
  written(spents: readonly Spent[], result: WrittenUsage): void
  /** They will never be written: the organization keeps its money. */
  lost(spents: readonly Spent[], reason: unknown): void
  /** Resolves when the days have heard of everything that ended before. */
  daysDone(): Promise<void>
}

export function createGroupEnd({
  days,
  log,
  metrics,
  onCharge,
}: {
  days: SpendingDays
  log: Log
  metrics: Metrics
  /** Called before what was paid is free again. */
  onCharge(charge: UsageCharge): void
}): GroupEnd {
  /** The next group does not wait for the days: their cache may be slow or away while the store is well. */
  const underWay = new Set<Promise<void>>()
  const inBackground = (work: Promise<unknown>) => {
    const done: Promise<void> = work.then(
      () => {
        underWay.delete(done)
      },
      (error: unknown) => {
        underWay.delete(done)
        log.warn('usage.day_failed', { error })
      },
    )
    underWay.add(done)
  }

  /** The organization keeps its money. */
  function giveUp(spents: readonly Spent[]): void {
    let costMicros = 0
    for (const { row, lease, reservation, claim } of spents) {
      costMicros += row.costMicros
      lease.rowWritten(row.costMicros)
      lease.paidElsewhere(row.costMicros)
      claim?.ended()
      if (reservation !== undefined) inBackground(days.letGo(reservation))
    }
    metrics.moneyLost(micros(costMicros))
  }

  return {
    written(all, { charges, days: moves, superseded = [] }) {
      for (const charge of charges) onCharge(charge)
      const spents = superseded.length === 0 ? all : all.filter(({ row }) => !superseded.includes(row.id))
      if (superseded.length > 0) {
        giveUp(all.filter(({ row }) => superseded.includes(row.id)))
        log.warn('usage.claimed_elsewhere', {
          count: superseded.length,
        })
      }
      settleLeases(spents, charges)
      for (const { claim } of spents) claim?.ended()
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
      await Promise.all(underWay)
    },
  }
}

/**
 * An organization without a charge was written by an earlier try whose answer was lost. Its lease then counts all of it as
 * paid by the allowance, which may be more than was taken from it, never less.
 */
function settleLeases(spents: readonly Spent[], charges: readonly UsageCharge[]): void {
  for (const { row, lease } of spents) lease.rowWritten(row.costMicros)
  const elsewhere = new Map(
    charges.map(({ organizationId, beyondMicros, lossMicros }) => [
      organizationId,
      beyondMicros + lossMicros,
    ]),
  )
  for (const { row, lease } of spents) {
    lease.paidElsewhere(elsewhere.get(row.organizationId) ?? 0)
    elsewhere.delete(row.organizationId)
  }
}
