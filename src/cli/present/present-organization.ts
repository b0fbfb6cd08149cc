import type { Organization } from '../../domain/access/organization.ts'
import { presentTime } from './format-duration.ts'
import { formatUsd } from './format-usd.ts'

export function organizationJson(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    billing: organization.billing,
    balance_micros: organization.balanceMicros,
    held_micros: organization.heldMicros,
    requests_per_minute: organization.requestsPerMinute,
    created_at: presentTime(organization.createdAtMs),
  }
}

export function organizationRow(organization: Organization): Record<string, string> {
  return {
    ID: organization.id,
    NAME: organization.name,
    BILLING: organization.billing,
    BALANCE: formatUsd(organization.balanceMicros),
    HELD: formatUsd(organization.heldMicros),
    'REQUESTS/MIN': organization.requestsPerMinute?.toString() ?? '-',
    CREATED: presentTime(organization.createdAtMs),
  }
}
