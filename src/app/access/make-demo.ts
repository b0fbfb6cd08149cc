import { type Micros, micros } from '../../domain/billing/micros.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { draftKey } from './create-key.ts'
import { draftOrganization } from './create-organization.ts'
import { draftUser } from './create-user.ts'

export interface Demo {
  organizationId: string
  userId: string
  key: string
  creditMicros: Micros
}

const CREDIT_MICROS = micros(25_000_000)

/** Makes a demo tenant. All its rows are written together, and only in a store without tenants. */
export function makeDemo(
  input: AuditTools & { organizations: OrganizationStore; secrets: Secrets },
): () => Promise<Demo | undefined> {
  const { organizations, ...tools } = input
  return async () => {
    const organization = draftOrganization(
      { name: 'demo', billing: 'prepaid', requestsPerMinute: null },
      tools,
    ).row
    const organizationId = organization.id
    const user = draftUser({ organizationId, name: 'demo' }, tools)
    const { row: apiKey, key } = draftKey(
      { organizationId, userId: user.id, name: 'demo', requestsPerMinute: null },
      tools,
    )
    const credit = {
      entryId: tools.newId('ent'),
      organizationId,
      amountMicros: CREDIT_MICROS,
      note: 'to play with',
      atMs: tools.clock.nowMs(),
    }
    const detail = { user_id: user.id, key_id: apiKey.id, credit_micros: CREDIT_MICROS }
    const audit = draftAudit(
      { action: 'demo.create', organizationId, subject: organizationId, detail },
      tools,
    )
    const made = await organizations.createFirst({ organization, user, apiKey, credit }, audit)
    return made ? { organizationId, userId: user.id, key, creditMicros: CREDIT_MICROS } : undefined
  }
}
