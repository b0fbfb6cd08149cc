import type { Cache } from '../../ports/cache.ts'
import type { LedgerStore } from '../../ports/ledger.ts'
import type { Log } from '../../ports/log.ts'
import { noSuch } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import { announceQuotaChange } from '../quota/announce-quota-change.ts'

export function addCredit({
  ledger,
  cache,
  log,
  ...tools
}: AuditTools & {
  ledger: LedgerStore
  cache: Cache
  log: Log
}): Operator['addCredit'] {
  return async (command) => {
    const { organizationId, amountMicros, note } = command
    const entryId = tools.newId('ent')
    const detail = { entry_id: entryId, amount_micros: amountMicros, note }
    const act = { action: 'credit.add', organizationId, subject: organizationId, detail }
    const credit = { entryId, ...command, atMs: tools.clock.nowMs() }
    const organization = await ledger.addCredit(credit, draftAudit(act, tools))
    if (organization === undefined) throw noSuch('organization', organizationId)
    await announceQuotaChange({ kind: 'organization', id: organizationId }, { cache, log })
    return organization
  }
}
