import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Requests of operators with an `Idempotency-Key`, with encrypted answers. */
export const createAdminRequests: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table admin_requests (
      id ${id} primary key not null,
      actor ${id} not null,
      key_digest ${id} not null,
      body_digest ${id} not null,
      state ${text} not null check (state in ('claimed', 'done', 'finished')),
      lease_until_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      sealed_answer ${text},
      constraint admin_requests_once unique (actor, key_digest)
    ) ${strict}`,
  sql`create index admin_requests_over on admin_requests (expires_at_ms)`,
]
