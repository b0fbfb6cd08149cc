import { ApiError } from '../../domain/api-error.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { noneToChange, requireRow } from './no-such.ts'

const SECRET_BYTES = 32
const PREVIOUS_VALID_MS = 24 * 3_600_000

/** Uses the format that the Standard Webhooks libraries expect. */
export function makeWebhookSecret(
  organizationId: string,
  secrets: Secrets,
): { webhookSecret: string; encrypted: string } {
  const webhookSecret = `whsec_${Buffer.from(secrets.randomBytes(SECRET_BYTES)).toString('base64')}`
  return { webhookSecret, encrypted: secrets.encrypt(webhookSecret, webhookSecretBoundTo(organizationId)) }
}

interface WebhookSecretTools {
  organizations: OrganizationStore
  secrets: Secrets
}

export function showWebhookSecret(input: WebhookSecretTools): (id: string) => Promise<string> {
  const { organizations, secrets } = input
  return async (id) => {
    const row = requireRow(await organizations.findWebhookSecrets(id), 'organization', id)
    const secret = secrets.decrypt(row.encryptedSecret, webhookSecretBoundTo(id))
    if (secret === undefined) throw undecryptable(id)
    return secret
  }
}

export function undecryptable(id: string): ApiError {
  const message = `The webhook secret of ${id} was encrypted with another SLUICE_SECRET. Start with the secret the store was made with.`
  return new ApiError('internal_error', { message })
}

export function rotateWebhookSecret(input: WebhookSecretTools & AuditTools): (id: string) => Promise<string> {
  const { organizations, secrets, ...tools } = input
  return async (id) => {
    const { webhookSecret, encrypted } = makeWebhookSecret(id, secrets)
    const previousUntilMs = tools.clock.nowMs() + PREVIOUS_VALID_MS
    const change = { id, encryptedSecret: encrypted, previousUntilMs }
    const act = { action: 'organization.rotate-secret', organizationId: id, subject: id, detail: {} }
    const rotated = await organizations.rotateWebhookSecret(change, draftAudit(act, tools))
    if (!rotated) throw noneToChange('organization', id)
    return webhookSecret
  }
}

/** Returns the secrets that sign a callback now, the current one first; empty when they cannot be decrypted. */
export function validWebhookSecrets(input: {
  organizations: Pick<OrganizationStore, 'findWebhookSecrets'>
  secrets: Secrets
}): (id: string, atMs: number) => Promise<string[]> {
  const { organizations, secrets } = input
  return async (id, atMs) => {
    const row = await organizations.findWebhookSecrets(id)
    if (row === undefined) return []
    const { encryptedSecret, encryptedPreviousSecret, previousUntilMs } = row
    const boundTo = webhookSecretBoundTo(id)
    const isPreviousValid = previousUntilMs !== null && atMs < previousUntilMs
    return [encryptedSecret, isPreviousValid ? encryptedPreviousSecret : null]
      .map((encrypted) => (encrypted === null ? undefined : secrets.decrypt(encrypted, boundTo)))
      .filter((secret) => secret !== undefined)
  }
}

/** The binding keeps a secret from being decrypted in the row of another organization. */
export function webhookSecretBoundTo(organizationId: string): string {
  return `webhook-secret:${organizationId}`
}
