import { ApiError } from '../../domain/api-error.ts'
import type { LedgerStore, NewRefund, RefundOutcome } from '../../ports/ledger.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { onceAtMost } from './once-at-most.ts'

/** Running servers lower the user's day themselves (`apply-refunds.ts`). */
export function refundTask(
  input: AuditTools & Pick<Runtime, 'cache' | 'log'> & { ledger: Pick<LedgerStore, 'refund'> },
): Operator['refundTask'] {
  const { ledger, cache, log, ...tools } = input
  return async ({ entryId = tools.newId('ent'), ...command }) => {
    const refunded = await refund({ entryId, ...command, atMs: tools.clock.nowMs() })
    if (refunded.kind === 'nothing-left') throw nothingToRefund(command.taskId)
    if (refunded.kind === 'too-much') throw tooMuch(command.taskId, refunded.leftMicros)
    await announceQuotaChange({ kind: 'organization', id: refunded.organizationId }, { cache, log })
    return refunded
  }

  async function refund(wanted: NewRefund): Promise<RefundOutcome> {
    const { entryId, taskId, note } = wanted
    const detail = { entry_id: entryId, note }
    const act = { action: 'ledger.refund', organizationId: null, subject: taskId, detail }
    const phrases = { was: 'given back', does: 'gives it back' }
    return onceAtMost(() => ledger.refund(wanted, draftAudit(act, tools)), { entryId, act: phrases })
  }
}

function nothingToRefund(taskId: string): ApiError {
  return new ApiError('not_found', {
    message: `There is nothing to give back for ${taskId}: it was never charged, or all of it was refunded already.`,
  })
}

function tooMuch(taskId: string, leftMicros: number): ApiError {
  return new ApiError('invalid_parameter', {
    message: `At most ${leftMicros} micros of ${taskId} can still be refunded. Nothing was given back.`,
  })
}
