import { micros } from '../../../src/domain/billing/micros.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { UsageRowGroup } from '../../../src/ports/usage.ts'
import { allMicros, sampleCost, TODAY } from '../../engines/store/sample-money.ts'
import { sampleAudit } from '../../engines/store/sample-rows.ts'

/** One thing that can happen to an organization's money. */
export type LedgerStep =
  | { kind: 'hold'; id: string; userId: string; amount: number; lifeMs: number }
  | { kind: 'settle'; holdId: string; cost: number }
  | { kind: 'release'; holdId: string }
  | { kind: 'expire'; limit: number }
  | { kind: 'credit'; entryId: string; amount: number }
  | { kind: 'refund'; entryId: string; taskId: string; amount: number | undefined }
  | { kind: 'lease'; holdId: string; amounts: number[]; lifeMs: number }
  | { kind: 'renew'; holdIds: string[]; lifeMs: number }
  | { kind: 'give-back'; holdId: string; amount: number | 'all' }
  | { kind: 'usage'; group: UsageRowGroup }

/** Runs the step on the store. The ids of a hold's task and settlement are made from the id of the hold. */
export function takeStep(
  { ledger, usage }: Store,
  step: LedgerStep,
  { organizationId, nowMs }: { organizationId: string; nowMs: number },
): Promise<unknown> {
  switch (step.kind) {
    case 'hold':
      return ledger.hold({
        id: step.id,
        organizationId,
        userId: step.userId,
        day: TODAY,
        taskId: taskOf(step.id),
        amountMicros: micros(step.amount),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + step.lifeMs,
      })
    case 'settle':
      return ledger.settle({
        holdId: step.holdId,
        entryId: `ent_${step.holdId}`,
        cost: sampleCost(step.cost),
        atMs: nowMs,
      })
    case 'release':
      return ledger.release({ holdId: step.holdId, atMs: nowMs })
    case 'expire':
      return ledger.expire({ nowMs, limit: step.limit })
    case 'credit':
      return ledger.addCredit(
        {
          entryId: step.entryId,
          organizationId,
          amountMicros: micros(step.amount),
          note: null,
          atMs: nowMs,
        },
        sampleAudit(),
      )
    case 'refund':
      return ledger.refund(
        {
          entryId: step.entryId,
          taskId: step.taskId,
          amountMicros: step.amount === undefined ? undefined : micros(step.amount),
          note: null,
          atMs: nowMs,
        },
        sampleAudit(),
      )
    case 'lease':
      return usage.lease({
        holdId: step.holdId,
        organizationId,
        amountsMicros: allMicros(...step.amounts),
        nowMs,
        expiresAtMs: nowMs + step.lifeMs,
      })
    case 'renew':
      return usage.renew({ holdIds: step.holdIds, expiresAtMs: nowMs + step.lifeMs })
    case 'give-back':
      return usage.giveBack({
        holdId: step.holdId,
        amountMicros: step.amount === 'all' ? 'all' : micros(step.amount),
        atMs: nowMs,
      })
    case 'usage':
      return usage.write(step.group)
  }
}

export function taskOf(holdId: string): string {
  return `task_${holdId}`
}
