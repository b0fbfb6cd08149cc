import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Index of revocations without a receipt, and the people who were erased before a verification ended. */
export const createLateConsent: MigrationStep = ({ text, boolean, no }) => [
  sql`alter table revocations add column has_receipt ${boolean} default ${no} not null`,
  sql`
    update revocations set has_receipt = not has_receipt
    where exists (select 1 from receipts where receipts.id = revocations.group_id)`,
  sql`
    create index revocations_owing_receipts on revocations (revoked_at_ms, group_id)
    where not has_receipt`,
  sql`alter table verifications add column erased_tickets ${text}`,
]
