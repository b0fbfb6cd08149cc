import { makeWebhookSecret } from '../../../src/app/access/webhook-secret.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Secrets } from '../../../src/ports/secrets.ts'
import type { Store } from '../../../src/ports/store.ts'
import {
  MORNING_MS,
  sampleApiKey,
  sampleAudit,
  sampleOrganization,
  sampleUser,
} from '../store/sample-rows.ts'

export interface Tenant {
  organizationId: string
  userId: string
  keyId: string
  webhookSecret: string
}

export const CREDIT_MICROS = micros(100_000_000_000)

/** Creates an organization with credit, a user and a key; `number` is part of their ids. */
export async function makeTenant(store: Store, secrets: Secrets, number = 1): Promise<Tenant> {
  const organizationId = `org_${number}`
  const userId = `usr_${number}`
  const keyId = `key_${number}`
  const { webhookSecret, encrypted } = makeWebhookSecret(organizationId, secrets)
  const organization = sampleOrganization({ id: organizationId, encryptedWebhookSecret: encrypted })
  await store.organizations.create(organization, sampleAudit())
  await store.users.create(sampleUser({ id: userId, organizationId }), sampleAudit())
  const apiKey = sampleApiKey({ id: keyId, organizationId, userId, digest: `digest-${number}` })
  await store.apiKeys.create(apiKey, sampleAudit())
  await store.ledger.addCredit(
    { entryId: `ent_${number}`, organizationId, amountMicros: CREDIT_MICROS, note: null, atMs: MORNING_MS },
    sampleAudit(),
  )
  return { organizationId, userId, keyId, webhookSecret }
}
