import { eventOutcome } from '../../domain/callbacks/callback-retry.ts'
import { OPERATOR_RECEIVER } from '../../domain/events/event.ts'
import type { DueEvent, EventStore } from '../../ports/events.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { validWebhookSecrets } from '../access/webhook-secret.ts'
import { type Deliver, deliverMessage, type MessageTools, UNSENDABLE } from '../callbacks/deliver-message.ts'

export interface OperatorReceiver {
  url: string
  secret: string
}

/** Events are signed like the callback of a task, and retried for a day. */
export function deliverEvent(
  tools: MessageTools & {
    events: Pick<EventStore, 'recordAttempt' | 'giveBack'>
    organizations: Pick<OrganizationStore, 'findWebhookSecrets'>
    secrets: Secrets
    /** undefined: events of operators are only listed. */
    operatorReceiver: OperatorReceiver | undefined
  },
): Deliver<DueEvent> {
  const { events, operatorReceiver, clock } = tools
  const secretsOf = validWebhookSecrets(tools)
  const deliver = deliverMessage<DueEvent>({
    ...tools,
    outcomeOf: eventOutcome,
    async write(event, atMs) {
      const { id, organizationId } = event
      const isForOperators = organizationId === OPERATOR_RECEIVER
      const url = isForOperators ? operatorReceiver?.url : event.url
      if (url == null) return UNSENDABLE.withoutAddress
      const secrets = isForOperators
        ? [operatorReceiver?.secret ?? '']
        : await secretsOf(organizationId, atMs)
      if (secrets.length === 0) return UNSENDABLE.withoutSecret
      return { id, organizationId, url, body: eventJson(event), atMs, secrets }
    },
    record: ({ id: callbackId, fence }, record) => events.recordAttempt({ callbackId, fence, ...record }),
    giveBack: ({ id: callbackId, fence }, nextAttemptAtMs) =>
      events.giveBack({ callbackId, fence, nextAttemptAtMs }),
  })
  return (due, lease) => {
    const isOnlyListed = due.organizationId === OPERATOR_RECEIVER && operatorReceiver === undefined
    return isOnlyListed ? endUnsent(due) : deliver(due, lease)
  }

  /** Ends an event without a receiver. A missing receiver is no failure, so nothing is logged or counted. */
  async function endUnsent({ id, fence, attempt }: DueEvent): Promise<undefined> {
    const result = { attempt, atMs: clock.nowMs(), status: null, error: UNSENDABLE.withoutAddress.word }
    await events.recordAttempt({
      callbackId: id,
      fence,
      attempt: result,
      outcome: 'given-up',
      nextAttemptAtMs: null,
    })
  }
}

/** Produces equal bytes on every attempt. */
function eventJson({ type, data, createdAtMs }: DueEvent): string {
  return JSON.stringify({ type, timestamp: new Date(createdAtMs).toISOString(), data: JSON.parse(data) })
}
