import type { Organization } from '../../../domain/access/organization.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { OrganizationStore } from '../../../ports/tenants.ts'
import type { QuotaSync } from './announce-quota-change.ts'
import { copyEntry } from './copy-entry.ts'
import { publishQuotaChange } from './invalidations.ts'

/** Copies the quota of an organization into the cache and has every replica read its row again. */
export function syncOrganization(tools: {
  organizations: Pick<OrganizationStore, 'find'>
  cache: Cache
}): QuotaSync['organization'] {
  const { organizations, cache } = tools
  return async (id) => {
    const read = async () => {
      const organization = await organizations.find(id)
      return organization && presentQuota(organization)
    }
    await copyEntry({ cache, key: `sluice:{org:${id}}:quota`, read })
    await publishQuotaChange(cache, { kind: 'organization', id })
  }
}

function presentQuota(organization: Organization) {
  return {
    organization_id: organization.id,
    billing: organization.billing,
    balance_micros: organization.balanceMicros,
    held_micros: organization.heldMicros,
    requests_per_minute: organization.requestsPerMinute,
  }
}
