import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Users and tasks are no references, because the ledger is kept longer than they are. */
export const createLedger: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table holds (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      kind ${text} not null check (kind in ('task', 'allowance')),
      user_id ${id},
      day ${text},
      task_id ${id} unique,
      amount_micros ${integer} not null check (amount_micros between 0 and 9007199254740991),
      state ${text} not null check (state in ('open', 'settled', 'released', 'expired')),
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      ended_at_ms ${integer},
      constraint holds_end_once check ((state = 'open') = (ended_at_ms is null))
    ) ${strict}`,
  sql`create index holds_open on holds (expires_at_ms) where state = 'open'`,
  sql`create index holds_open_of_organization on holds (organization_id) where state = 'open'`,
  // The two unique indexes prevent charging or refunding a hold twice.
  sql`
    create table ledger_entries (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      kind ${text} not null check (kind in ('credit', 'settlement', 'usage', 'refund')),
      amount_micros ${integer} not null
        check (amount_micros between -9007199254740991 and 9007199254740991),
      loss_micros ${integer} default 0 not null check (loss_micros between 0 and 9007199254740991),
      hold_id ${id} references holds (id),
      note ${text},
      created_at_ms ${integer} not null
    ) ${strict}`,
  sql`
    create unique index ledger_entries_settle_once on ledger_entries (hold_id)
    where kind = 'settlement'`,
  sql`create unique index ledger_entries_refund_once on ledger_entries (hold_id) where kind = 'refund'`,
  sql`create index ledger_entries_of_organization on ledger_entries (organization_id, id)`,
  // Sum of each user's day, from which a lost cache is rebuilt.
  sql`
    create table user_days (
      user_id ${id} not null,
      day ${text} not null,
      used_micros ${integer} not null,
      version ${integer} not null,
      constraint user_days_once primary key (user_id, day)
    ) ${strict}`,
]
