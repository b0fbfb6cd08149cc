import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { DeploymentStore } from '../../ports/store.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { showWebhookSecret } from './webhook-secret.ts'

const CHECK_WORD = 'sluice'
const BOUND_TO = 'deployment'

/**
 * Rejects when this process has another secret than the one the store was made with: it would know no key, and the
 * keys it makes would be useless to every other replica. The first process on an empty store writes an encrypted row;
 * the others must be able to decrypt it. In an older store without that row, the secret of any organization is tried.
 */
export function confirmSecret({
  deployment,
  organizations,
  secrets,
  clock,
}: {
  deployment: DeploymentStore
  organizations: OrganizationStore
  secrets: Secrets
  clock: Clock
}): () => Promise<void> {
  return async () => {
    if ((await deployment.findSecretCheck()) === undefined) {
      const [first] = await organizations.list()
      if (first !== undefined) await showWebhookSecret({ organizations, secrets })(first.id)
    }
    const kept = await deployment.keepSecretCheck({
      encrypted: secrets.encrypt(CHECK_WORD, BOUND_TO),
      atMs: clock.nowMs(),
    })
    if (!matchesSecret(secrets, kept)) throw wrongSecret()
  }
}

/** The same without a write, for programs beside the servers. A store without the row has not had a server yet. */
export async function requireSecret({
  deployment,
  secrets,
}: {
  deployment: DeploymentStore
  secrets: Secrets
}): Promise<void> {
  const encrypted = await deployment.findSecretCheck()
  if (encrypted !== undefined && !matchesSecret(secrets, encrypted)) throw wrongSecret()
}

export function matchesSecret(secrets: Secrets, encrypted: string): boolean {
  return secrets.decrypt(encrypted, BOUND_TO) === CHECK_WORD
}

function wrongSecret(): ApiError {
  return new ApiError('internal_error', {
    message:
      'This store was encrypted with another SLUICE_SECRET. Start with the secret the store was made with; every replica needs the same one.',
  })
}
