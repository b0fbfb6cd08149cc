import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Usage row of a refund, and a copy of its day, because the row may be dropped before the entry. */
export const createTextRefunds: MigrationStep = ({ id, text }) => [
  sql`alter table ledger_entries add column usage_id ${id}`,
  sql`alter table ledger_entries add column usage_day ${text}`,
  sql`create index ledger_entries_usage_refunds on ledger_entries (usage_id) where usage_id is not null`,
]
