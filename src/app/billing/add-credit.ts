import { ApiError } from '../../domain/api-error.ts'
import type { Cache } from '../../ports/cache.ts'
import type { LedgerStore, NewCredit } from '../../ports/ledger.ts'
import type { Log } from '../../ports/log.ts'
import { noSuch } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/announce-quota-change.ts'
import type { Operator } from '../operator.ts'

export function addCredit({
  ledger,
  cache,
  log,
  ...tools
}: AuditTools & {
  ledger: Pick<LedgerStore, 'addCredit'>
  cache: Cache
  log: Log
}): Operator['addCredit'] {
  return async ({ entryId = tools.newId('ent'), ...command }) => {
    const { organizationId, amountMicros, note } = command
    if (amountMicros < 0 && note === null)
      throw new ApiError('invalid_parameter', {
        message: 'Say why money is taken: a note is required. Nothing was taken.',
      })
    const organization = await add({ entryId, ...command, atMs: tools.clock.nowMs() })
    if (organization === undefined) throw noSuch('organization', organizationId)
    await announceQuotaChange({ kind: 'organization', id: organizationId }, { cache, log })
    return organization
  }

  async function add(credit: NewCredit) {
    const { entryId, organizationId, amountMicros, note } = credit
    const detail = { entry_id: entryId, amount_micros: amountMicros, note }
    const act = { action: 'credit.add', organizationId, subject: organizationId, detail }
    try {
      return await ledger.addCredit(credit, draftAudit(act, tools))
    } catch (error) {
      throw error instanceof ApiError && error.code === 'store_unavailable'
        ? unanswered(entryId, error)
        : error
    }
  }
}

/** The store may have added it before it was lost: a repetition must not add it again. */
function unanswered(entryId: string, cause: ApiError): ApiError {
  return new ApiError('store_unavailable', {
    message: `The store did not answer: whether it was added is not known. Repeat the command with --entry ${entryId}, which adds it once at most.`,
    cause,
  })
}
