import { randomUUID } from 'node:crypto'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { NewAudit } from '../../../src/ports/audit.ts'
import type { FirstTenant, NewApiKey, NewOrganization, NewUser } from '../../../src/ports/tenants.ts'

export const MORNING_MS = 1_700_000_000_000

export function sampleOrganization(part: Partial<NewOrganization> = {}): NewOrganization {
  return {
    id: 'org_1',
    name: 'Acme',
    billing: 'prepaid',
    requestsPerMinute: null,
    encryptedWebhookSecret: 'sealed-1',
    createdAtMs: MORNING_MS,
    ...part,
  }
}

export function sampleUser(part: Partial<NewUser> = {}): NewUser {
  return { id: 'usr_1', organizationId: 'org_1', name: 'Ada', createdAtMs: MORNING_MS, ...part }
}

export function sampleApiKey(part: Partial<NewApiKey> = {}): NewApiKey {
  return {
    id: 'key_1',
    organizationId: 'org_1',
    userId: 'usr_1',
    name: 'laptop',
    prefix: 'sk-sluice-abcd',
    digest: 'digest-1',
    requestsPerMinute: null,
    createdAtMs: MORNING_MS,
    expiresAtMs: null,
    allowedModels: null,
    monthlyBudgetMicros: null,
    ...part,
  }
}

export function sampleFirst(number: number): FirstTenant {
  const organizationId = `org_${number}`
  const userId = `usr_${number}`
  return {
    organization: sampleOrganization({ id: organizationId }),
    user: sampleUser({ id: userId, organizationId }),
    apiKey: sampleApiKey({ id: `key_${number}`, organizationId, userId, digest: `digest-${number}` }),
    credit: {
      entryId: `ent_${number}`,
      organizationId,
      amountMicros: micros(25_000_000),
      note: 'to begin with',
      atMs: MORNING_MS,
    },
  }
}

/** Audit row whose id is unique, even among several processes on the same store. */
export function sampleAudit(part: Partial<NewAudit> = {}): NewAudit {
  return {
    id: `aud_${randomUUID()}`,
    atMs: MORNING_MS,
    actor: 'cli',
    action: 'sample.act',
    organizationId: null,
    subject: 'sample',
    detail: {},
    ...part,
  }
}
