import type { Organization } from '../../domain/access/organization.ts'
import { ZERO_MICROS } from '../../domain/billing/micros.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { NewOrganization, OrganizationStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { makeWebhookSecret } from './webhook-secret.ts'

export function createOrganization(
  input: AuditTools & { organizations: OrganizationStore; secrets: Secrets },
): Operator['createOrganization'] {
  const { organizations, ...tools } = input
  return async (command) => {
    const { row, webhookSecret } = draftOrganization(command, tools)
    const detail = { name: row.name, billing: row.billing, requests_per_minute: row.requestsPerMinute }
    const act = { action: 'organization.create', organizationId: row.id, subject: row.id, detail }
    await organizations.create(row, draftAudit(act, tools))
    return { organization: asNew(row), webhookSecret }
  }
}

export function draftOrganization(
  command: Parameters<Operator['createOrganization']>[0],
  { newId, clock, secrets }: Pick<Runtime, 'clock' | 'newId' | 'secrets'>,
): { row: NewOrganization; webhookSecret: string } {
  const id = newId('org')
  const { webhookSecret, encrypted } = makeWebhookSecret(id, secrets)
  return {
    row: { id, ...command, encryptedWebhookSecret: encrypted, createdAtMs: clock.nowMs() },
    webhookSecret,
  }
}

function asNew({ encryptedWebhookSecret: _, ...row }: NewOrganization): Organization {
  return {
    ...row,
    balanceMicros: ZERO_MICROS,
    heldMicros: ZERO_MICROS,
    disabledAtMs: null,
    eventsUrl: null,
    keepReplies: null,
    callbackRetries: 'default',
    recordBodies: 'off',
    keepMedia: null,
    lowBalanceMicros: null,
  }
}
