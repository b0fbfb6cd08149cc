import type { Selectable } from 'kysely'
import type { Organization } from '../../../domain/access/organization.ts'
import { micros } from '../../../domain/billing/micros.ts'
import type { Tables } from '../tables.ts'

export const ORGANIZATION_COLUMNS = [
  'id',
  'name',
  'billing',
  'balance_micros',
  'held_micros',
  'requests_per_minute',
  'created_at_ms',
] as const

type Row = Pick<Selectable<Tables['organizations']>, (typeof ORGANIZATION_COLUMNS)[number]>

export function toOrganization(row: Row): Organization {
  return {
    id: row.id,
    name: row.name,
    billing: row.billing,
    balanceMicros: micros(row.balance_micros),
    heldMicros: micros(row.held_micros),
    requestsPerMinute: row.requests_per_minute,
    createdAtMs: row.created_at_ms,
  }
}
