import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { DeploymentStore } from '../../ports/store.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { showWebhookSecret } from './webhook-secret.ts'

const SEALED_WORD = 'sluice'
const BOUND_TO = 'deployment'

/**
 * Rejects when this process has another secret than the one the store was made with: it would know no key, and the
 * keys it makes would be useless to every other replica. The first process on an empty store seals a row; the others
 * must be able to open it. A store from before that row is judged by the secret of any of its organizations.
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
    if ((await deployment.findSeal()) === undefined) {
      const [first] = await organizations.list()
      if (first !== undefined) await showWebhookSecret({ organizations, secrets })(first.id)
    }
    const kept = await deployment.keepSeal({
      sealed: secrets.seal(SEALED_WORD, BOUND_TO),
      atMs: clock.nowMs(),
    })
    if (!opensSeal(secrets, kept)) throw wrongSecret()
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
  const sealed = await deployment.findSeal()
  if (sealed !== undefined && !opensSeal(secrets, sealed)) throw wrongSecret()
}

export function opensSeal(secrets: Secrets, sealed: string): boolean {
  return secrets.open(sealed, BOUND_TO) === SEALED_WORD
}

function wrongSecret(): ApiError {
  return new ApiError('internal_error', {
    message:
      'This store was sealed with another SLUICE_SECRET. Start with the secret the store was made with; every replica needs the same one.',
  })
}
