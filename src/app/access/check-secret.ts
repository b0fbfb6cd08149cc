import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { showWebhookSecret } from './webhook-secret.ts'

/**
 * Rejects when this deployment's secret is not the one the store was made with: no key would be recognised, and new
 * ones would be useless to every other replica. Any organization will do, since all are sealed with the same secret.
 */
export function checkSecret(tools: {
  organizations: OrganizationStore
  secrets: Secrets
}): () => Promise<void> {
  return async () => {
    const [first] = await tools.organizations.list()
    if (first !== undefined) await showWebhookSecret(tools)(first.id)
  }
}
