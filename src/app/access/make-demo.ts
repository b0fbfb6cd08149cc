import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { draftKey } from './create-key.ts'
import { draftOrganization } from './create-organization.ts'
import { draftUser } from './create-user.ts'

export interface Demo {
  organizationId: string
  userId: string
  key: string
}

/** A tenant to play with, made together and only in a store that has none. */
export function makeDemo({
  organizations,
  ...tools
}: {
  organizations: OrganizationStore
  newId: NewId
  clock: Clock
  secrets: Secrets
}): () => Promise<Demo | undefined> {
  return async () => {
    const organization = draftOrganization(
      { name: 'demo', billing: 'prepaid', requestsPerMinute: null },
      tools,
    ).row
    const user = draftUser({ organizationId: organization.id, name: 'demo' }, tools)
    const { row: apiKey, key } = draftKey(
      { organizationId: organization.id, userId: user.id, name: 'demo', requestsPerMinute: null },
      tools,
    )
    const made = await organizations.createFirst({ organization, user, apiKey })
    return made ? { organizationId: organization.id, userId: user.id, key } : undefined
  }
}
