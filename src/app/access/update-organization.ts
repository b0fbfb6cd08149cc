import { ApiError } from '../../domain/api-error.ts'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { noneToChange } from './no-such.ts'

/** Members that are left out stay unchanged. */
export function updateOrganization(
  input: AuditTools &
    Pick<Runtime, 'cache' | 'log'> & {
      organizations: OrganizationStore
      /** Throws for a URL to which no event may be sent. */
      parseEventsUrl(url: string): string
    },
): Operator['updateOrganization'] {
  const { organizations, parseEventsUrl, cache, log, ...tools } = input
  return async ({ eventsUrl: given, ...rest }) => {
    const eventsUrl = given == null ? given : parseEventsUrl(given)
    const change = { ...rest, ...(eventsUrl !== undefined && { eventsUrl }) }
    const { id } = change
    const detail = {
      name: change.name,
      billing: change.billing,
      requests_per_minute: change.requestsPerMinute,
      keep_replies: change.keepReplies,
      callback_retries: change.callbackRetries,
      record_bodies: change.recordBodies,
      keep_media: change.keepMedia,
      low_balance_micros: change.lowBalanceMicros,
      // Only the host is recorded, because the path may contain a token of the organization.
      events_host: eventsUrl == null ? eventsUrl : new URL(eventsUrl).host,
    }
    const act = { action: 'organization.update', organizationId: id, subject: id, detail }
    const update = await organizations.update(change, draftAudit(act, tools))
    if (update.kind === 'not-found') throw noneToChange('organization', id)
    if (update.kind === 'owes') {
      const { balanceMicros, heldMicros } = update.organization
      throw new ApiError('invalid_parameter', {
        message: `The balance does not cover what is held: ${id} needs ${formatUsdDecimal(micros(heldMicros - balanceMicros))} USD of credit before it can be prepaid. Nothing was changed.`,
      })
    }
    await announceQuotaChange({ kind: 'organization', id }, { cache, log })
    return update.organization
  }
}
