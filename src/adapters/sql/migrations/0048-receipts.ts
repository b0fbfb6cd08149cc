import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * Signed receipts, one chain per organization, and the keys that sign them. Earlier tasks owe no receipt,
 * because they have no stored order; a client's request makes it.
 */
export const createReceipts: MigrationStep = ({ id, text, integer, boolean, no, strict }) => [
  sql`
    create table receipts (
      id ${id} primary key not null,
      organization_id ${id} not null,
      api_key_id ${id},
      number ${integer} not null,
      hash ${id} not null,
      jws ${text} not null,
      made_at_ms ${integer} not null,
      constraint receipts_in_a_chain unique (organization_id, number)
    ) ${strict}`,
  sql`
    create table receipt_keys (
      id ${id} primary key not null,
      public_key ${text} not null,
      sealed_private_key ${text},
      created_at_ms ${integer} not null
    ) ${strict}`,
  sql`alter table video_tasks add column ordered ${text}`,
  sql`alter table video_tasks add column owes_receipt ${boolean} default ${no} not null`,
  sql`
    create index video_tasks_owing_receipts on video_tasks (id)
    where owes_receipt and completed_at_ms is not null`,
]
