import type { OrganizationStore } from '../../ports/tenants.ts'
import { noSuch } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'

export function showCredit({ organizations }: { organizations: OrganizationStore }): Operator['showCredit'] {
  return async (organizationId) => {
    const organization = await organizations.find(organizationId)
    if (organization === undefined) throw noSuch('organization', organizationId)
    return organization
  }
}
