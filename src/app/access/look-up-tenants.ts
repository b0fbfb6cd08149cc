import type { ApiKeyStore, OrganizationStore, UserStore } from '../../ports/tenants.ts'
import type { Operator } from '../operator.ts'
import { noSuch } from './no-such.ts'

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
    const organization = await organizations.find(id)
    if (organization === undefined) throw noSuch('organization', id)
    return organization
  }

  return {
    showOrganization,
    listOrganizations: () => organizations.list(),
    async showUser(id) {
      const user = await users.find(id)
      if (user === undefined) throw noSuch('user', id)
      return user
    },
    async showKey(id) {
      const apiKey = await apiKeys.find(id)
      if (apiKey === undefined) throw noSuch('key', id)
      return apiKey
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
