import { isErased } from '../../domain/access/organization.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { AuditStore } from '../../ports/audit.ts'
import type { EventStore } from '../../ports/events.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { noneToChange, noSuch } from '../access/no-such.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'

export function operateEvents(
  input: AuditTools & {
    events: Pick<EventStore, 'page' | 'resend' | 'add'>
    organizations: Pick<OrganizationStore, 'find'>
    audit: Pick<AuditStore, 'add'>
    /** Whether `EVENTS_URL` is set. */
    hasReceiver: boolean
  },
): Pick<Operator, 'listEvents' | 'resendEvent' | 'testEvent'> {
  const { events, organizations, audit, hasReceiver, ...tools } = input
  return {
    listEvents: (query) => events.page(query),
    async resendEvent(id) {
      const act = { action: 'event.resend', organizationId: null, subject: id, detail: {} }
      const event = await events.resend({ id, atMs: tools.clock.nowMs() }, draftAudit(act, tools))
      if (event === undefined) throw noSuch('event', id)
      return event
    },
    async testEvent({ organizationId }) {
      await requireReceiver(organizationId)
      const atMs = tools.clock.nowMs()
      const act = { action: 'event.test', organizationId, subject: organizationId ?? 'operator', detail: {} }
      await audit.add(draftAudit(act, tools))
      const cause = `event.test:${tools.newId('msg')}`
      const event = await events.add({
        type: 'event.test',
        organizationId,
        cause,
        data: { test: true },
        atMs,
      })
      if (event === undefined) throw new Error('the cause of a test event exists already')
      return event
    },
  }

  async function requireReceiver(organizationId: string | null): Promise<void> {
    if (organizationId === null) {
      if (hasReceiver) return
      throw new ApiError('invalid_parameter', {
        message:
          'There is no receiver for events: set EVENTS_URL and EVENTS_SECRET, or name an organization that has an address for events.',
      })
    }
    const organization = await organizations.find(organizationId)
    if (organization === undefined || isErased(organization))
      throw noneToChange('organization', organizationId)
    if (organization.eventsUrl === null)
      throw new ApiError('invalid_parameter', {
        message: `The organization ${organizationId} has no address for events: set one first.`,
        command: `"sluice org update ${organizationId} --events-url <url>" sets it.`,
      })
  }
}
