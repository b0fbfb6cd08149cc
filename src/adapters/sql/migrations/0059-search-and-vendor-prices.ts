import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Folded names, by whose beginning organizations are found, and the vendor's prices of models. */
export const createSearchAndVendorPrices: MigrationStep = ({ id, text, computed }) => [
  sql`
    alter table organizations add column folded_name ${id} generated always as (lower(name)) ${computed}`,
  sql`create index organizations_by_name on organizations (folded_name, id)`,
  sql`alter table models add column vendor_prices ${text}`,
]
