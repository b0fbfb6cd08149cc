import { ApiError } from '../../domain/api-error.ts'
import type { LedgerStore, NewCredit } from '../../ports/ledger.ts'
import { noneToChange } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { onceAtMost } from './once-at-most.ts'

export function addCredit(
  input: AuditTools & Pick<Runtime, 'cache' | 'log'> & { ledger: Pick<LedgerStore, 'addCredit'> },
): Operator['addCredit'] {
  const { ledger, cache, log, ...tools } = input
  return async ({ entryId = tools.newId('ent'), ...command }) => {
    const { organizationId, amountMicros, note } = command
    if (amountMicros < 0 && note === null)
      throw new ApiError('invalid_parameter', {
        message: 'Say why money is taken: a note is required. Nothing was taken.',
      })
    const organization = await add({ entryId, ...command, atMs: tools.clock.nowMs() })
    if (organization === undefined) throw noneToChange('organization', organizationId)
    await announceQuotaChange({ kind: 'organization', id: organizationId }, { cache, log })
    return organization
  }

  async function add(credit: NewCredit) {
    const { entryId, organizationId, amountMicros, note } = credit
    const detail = { entry_id: entryId, amount_micros: amountMicros, note }
    const act = { action: 'credit.add', organizationId, subject: organizationId, detail }
    const phrases = { was: 'added', does: 'adds it' }
    return onceAtMost(() => ledger.addCredit(credit, draftAudit(act, tools)), { entryId, act: phrases })
  }
}
