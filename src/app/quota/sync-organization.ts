import type { Organization } from '../../domain/access/organization.ts'
import type { Cache } from '../../ports/cache.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import { publishQuotaChange } from './quota-news.ts'
import type { QuotaSync } from './quota-sync.ts'

/** Nobody is admitted by an entry: the ledger's own rows decide. It shows other programs a balance, and may vanish. */
const ENTRY_LIFE_MS = 24 * 3_600_000

/** Brings the cached quota of an organization in line with its row and has every replica read the row again. */
export function syncOrganization({
  organizations,
  cache,
}: {
  organizations: Pick<OrganizationStore, 'find'>
  cache: Cache
}): QuotaSync['organization'] {
  return async (id) => {
    const organization = await organizations.find(id)
    const key = `sluice:{org:${id}}:quota`
    if (organization === undefined) await cache.delete(key)
    else await cache.set(key, JSON.stringify(presentQuota(organization)), { ttlMs: ENTRY_LIFE_MS })
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
