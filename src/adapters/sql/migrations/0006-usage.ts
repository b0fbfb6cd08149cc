import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** One row per text request. Rows that were written together have one ledger entry. */
export const createUsage: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table text_usage (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      user_id ${id} not null,
      api_key_id ${id} not null,
      model ${text} not null,
      day ${text} not null,
      input_tokens ${integer} not null check (input_tokens >= 0),
      cached_input_tokens ${integer} not null check (cached_input_tokens >= 0),
      cache_write_tokens ${integer} not null check (cache_write_tokens >= 0),
      output_tokens ${integer} not null check (output_tokens >= 0),
      cost_micros ${integer} not null check (cost_micros >= 0),
      outcome ${text} not null check (outcome in ('completed', 'failed', 'hung-up')),
      first_byte_ms ${integer},
      duration_ms ${integer} not null,
      losses ${text},
      entry_id ${id} not null,
      created_at_ms ${integer} not null
    ) ${strict}`,
  sql`create index text_usage_of_entry on text_usage (entry_id)`,
]
