import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Vendor ids that organizations got from an account that they share. */
export const createVendorIds: MigrationStep = ({ id, integer, strict }) => [
  sql`
    create table vendor_ids (
      digest ${id} not null,
      organization_id ${id} not null,
      expires_at_ms ${integer} not null,
      constraint vendor_ids_once primary key (digest, organization_id)
    ) ${strict}`,
  sql`create index vendor_ids_expiry on vendor_ids (expires_at_ms)`,
]
