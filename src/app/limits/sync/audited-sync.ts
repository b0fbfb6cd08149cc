import { ApiError } from '../../../domain/api-error.ts'
import type { Actor, AuditStore } from '../../../ports/audit.ts'
import type { Log } from '../../../ports/log.ts'
import { type AuditTools, draftAudit } from '../../draft-audit.ts'
import type { QuotaSync } from './invalidations.ts'

type Outcome = 'ok' | 'refused' | 'failed'

/** The id comes from an operator's program, so its length in the audit row is bounded. */
const SUBJECT_CHARACTERS_MAX = 200

/**
 * Writes an audit row for every requested sync. If that write fails after a successful sync, the request fails, because
 * the operator can repeat it safely. After a refused or failed sync, the lost audit row is only logged.
 */
export function auditedSync(input: AuditTools & { sync: QuotaSync; audit: AuditStore; log: Log }): QuotaSync {
  const { sync, audit, log, ...tools } = input
  return {
    organization: (id, by) =>
      audited({ action: 'quota.sync-organization', organizationId: id, subject: id, by }, () =>
        sync.organization(id),
      ),
    user: (id, by) =>
      audited({ action: 'quota.sync-user', organizationId: null, subject: id, by }, () => sync.user(id)),
    modelPrice: (modelId, by) =>
      audited({ action: 'quota.sync-model-price', organizationId: null, subject: String(modelId), by }, () =>
        sync.modelPrice(modelId),
      ),
  }

  async function audited(act: SyncAct, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const outcome = error instanceof ApiError && error.status < 500 ? 'refused' : 'failed'
      await write(act, outcome).catch((cause: unknown) => {
        log.error('audit.write_failed', { reason: act.action, error: cause })
      })
      throw error
    }
    await write(act, 'ok')
  }

  function write({ action, organizationId, subject, by }: SyncAct, outcome: Outcome): Promise<void> {
    const bounded = (text: string) => text.slice(0, SUBJECT_CHARACTERS_MAX).toWellFormed()
    const row = {
      action,
      organizationId: organizationId === null ? null : bounded(organizationId),
      subject: bounded(subject),
      detail: { outcome },
    }
    return audit.add(draftAudit(row, by === undefined ? tools : { ...tools, actor: by }))
  }
}

interface SyncAct {
  action: string
  organizationId: string | null
  subject: string
  by: Actor | undefined
}
