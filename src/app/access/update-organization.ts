import { ApiError } from '../../domain/api-error.ts'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Log } from '../../ports/log.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/announce-quota-change.ts'
import type { Operator } from '../operator.ts'
import { noneToChange } from './no-such.ts'

/** Changes an organization. Members that are left out stay unchanged. */
export function updateOrganization({
  organizations,
  parseEventsUrl,
  cache,
  log,
  ...tools
}: AuditTools & {
  organizations: OrganizationStore
  /** Throws for a URL to which no event may be sent. */
  parseEventsUrl(url: string): string
  cache: Cache
  log: Log
}): Operator['updateOrganization'] {
  return async ({ eventsUrl: given, ...rest }) => {
    const eventsUrl = given == null ? given : parseEventsUrl(given)
    const change = { ...rest, ...(eventsUrl !== undefined && { eventsUrl }) }
    const {
      id,
      name,
      billing,
      requestsPerMinute,
      keepReplies,
      keepMedia,
      callbackRetries,
      recordBodies,
      lowBalanceMicros,
    } = change
    const detail = {
      ...(name !== undefined && { name }),
      ...(billing !== undefined && { billing }),
      ...(requestsPerMinute !== undefined && { requests_per_minute: requestsPerMinute }),
      ...(keepReplies !== undefined && { keep_replies: keepReplies }),
      ...(callbackRetries !== undefined && { callback_retries: callbackRetries }),
      ...(recordBodies !== undefined && { record_bodies: recordBodies }),
      ...(keepMedia !== undefined && { keep_media: keepMedia }),
      ...(lowBalanceMicros !== undefined && { low_balance_micros: lowBalanceMicros }),
      // Only the host is recorded: the path may contain a token of the organization.
      ...(eventsUrl !== undefined && { events_host: eventsUrl === null ? null : new URL(eventsUrl).host }),
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
