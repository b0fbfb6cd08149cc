import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Used quotes with their tasks, and the cost of a settlement beyond its quote. */
export const createQuotes: MigrationStep = ({ id, integer, strict }) => [
  sql`
    create table video_quotes (
      id ${id} primary key,
      task_id ${id} not null unique references video_tasks (id) on delete cascade
    ) ${strict}`,
  sql`alter table ledger_entries add column quote_loss_micros ${integer} default 0 not null`,
]
