import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Copies that vendors have of erased data, until they are removed. */
export const createVendorRemovals: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table vendor_removals (
      provider ${text} not null,
      kind ${text} not null check (kind in ('asset', 'group')),
      ticket ${text} not null,
      group_ticket ${text} not null,
      organization_id ${id} not null,
      created_at_ms ${integer} not null,
      due_at_ms ${integer} not null,
      attempts ${integer} default 0 not null,
      constraint vendor_removals_once primary key (provider, kind, ticket)
    ) ${strict}`,
  sql`create index vendor_removals_due on vendor_removals (provider, due_at_ms)`,
  sql`create index vendor_removals_of_group on vendor_removals (provider, group_ticket)`,
]
