import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Claims of text requests with an `Idempotency-Key`. */
export const createRequestClaims: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table request_claims (
      api_key_id ${id} not null,
      key_digest ${id} not null,
      id ${id} not null unique,
      body_digest ${id} not null,
      state ${text} not null check (state in ('claimed', 'finished')),
      lease_until_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      constraint request_claims_once primary key (api_key_id, key_digest)
    ) ${strict}`,
  sql`create index request_claims_over on request_claims (expires_at_ms)`,
]
