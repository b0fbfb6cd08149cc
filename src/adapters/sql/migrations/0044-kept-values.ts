import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Replies that clients read again, encrypted, for deployments without Redis. */
export const createKeptValues: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table kept_values (
      key ${id} primary key not null,
      value ${text} not null,
      share ${id},
      bytes ${integer} not null,
      expires_at_ms ${integer} not null
    ) ${strict}`,
  sql`create index kept_values_over on kept_values (expires_at_ms)`,
  sql`create index kept_values_of on kept_values (share, expires_at_ms, bytes) where share is not null`,
]
