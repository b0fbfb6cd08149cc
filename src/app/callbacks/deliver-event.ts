import type { DueEvent, OrganizationEventStore } from '../../ports/organization-events.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { validWebhookSecrets } from '../access/webhook-secret.ts'
import { type Deliver, deliverMessage, type MessageTools, UNSENDABLE } from './deliver-message.ts'

/** Delivers an event to an organization, signed and retried like the callback of a task. */
export function deliverEvent(
  tools: MessageTools & {
    organizationEvents: Pick<OrganizationEventStore, 'recordAttempt' | 'giveBack'>
    organizations: Pick<OrganizationStore, 'findWebhookSecrets'>
    secrets: Secrets
  },
): Deliver<DueEvent> {
  const { organizationEvents: events } = tools
  const secretsOf = validWebhookSecrets(tools)
  return deliverMessage<DueEvent>({
    ...tools,
    async write(event, atMs) {
      const { id, organizationId, url } = event
      if (url === null) return UNSENDABLE.withoutAddress
      const signers = await secretsOf(organizationId, atMs)
      if (signers.length === 0) return UNSENDABLE.withoutSecret
      return { id, organizationId, url, body: eventJson(event), atMs, secrets: signers }
    },
    record: ({ id: callbackId, fence }, record) => events.recordAttempt({ callbackId, fence, ...record }),
    giveBack: ({ id: callbackId, fence }, nextAttemptAtMs) =>
      events.giveBack({ callbackId, fence, nextAttemptAtMs }),
  })
}

/** Produces equal bytes on every attempt. */
function eventJson({ type, organizationId, subject, createdAtMs }: DueEvent): string {
  const timestamp = new Date(createdAtMs).toISOString()
  return JSON.stringify({
    type,
    timestamp,
    data: { organization_id: organizationId, group_id: subject, revoked_at: timestamp },
  })
}
