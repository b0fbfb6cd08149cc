import type { ApiKeyStore, OrganizationStore, UserStore } from '../../ports/tenants.ts'
import type { Operator } from '../operator.ts'
import { requireRow } from './no-such.ts'

type LookUps = Pick<
  Operator,
  'listOrganizations' | 'showOrganization' | 'listUsers' | 'showUser' | 'listKeys' | 'showKey'
>

/** An unknown organization is an error, not an empty list. */
export function lookUpTenants(tools: {
  organizations: OrganizationStore
  users: UserStore
  apiKeys: ApiKeyStore
}): LookUps {
  const { organizations, users, apiKeys } = tools
  const showOrganization: Operator['showOrganization'] = async (id) => {
    return requireRow(await organizations.find(id), 'organization', id)
  }

  return {
    showOrganization,
    listOrganizations: () => organizations.list(),
    async showUser(id) {
      return requireRow(await users.find(id), 'user', id)
    },
    async showKey(id) {
      return requireRow(await apiKeys.find(id), 'key', id)
    },
    async listUsers(organizationId) {
      await showOrganization(organizationId)
      return users.list(organizationId)
    },
    async listKeys(organizationId) {
      await showOrganization(organizationId)
      return apiKeys.list(organizationId)
    },
  }
}
