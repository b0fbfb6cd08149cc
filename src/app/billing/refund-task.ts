import { Refusal } from '../../domain/refusal.ts'
import type { Cache } from '../../ports/cache.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { Log } from '../../ports/log.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { announceQuotaChange } from '../quota/announce-quota-change.ts'

export function refundTask({
  ledger,
  cache,
  log,
  ...tools
}: AuditTools & {
  ledger: LedgerStore
  cache: Cache
  log: Log
}): Operator['refundTask'] {
  return async ({ taskId, note }) => {
    const entryId = tools.newId('ent')
    const act = {
      action: 'ledger.refund',
      organizationId: null,
      subject: taskId,
      detail: { entry_id: entryId, note },
    }
    const refund = { entryId, taskId, note, atMs: tools.clock.nowMs() }
    const refunded = await ledger.refund(refund, draftAudit(act, tools))
    if (refunded === undefined) throw nothingToRefund(taskId)
    await announceQuotaChange({ kind: 'organization', id: refunded.organizationId }, { cache, log })
    return refunded
  }
}

function nothingToRefund(taskId: string): Refusal {
  return new Refusal('not_found', {
    message: `There is nothing to give back for ${taskId}: it was never charged, or it was refunded already.`,
  })
}
