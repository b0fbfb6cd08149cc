import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Sessions of operators in browsers, and links that sign in once. Only digests are stored. */
export const createOperatorSessions: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table operator_sessions (
      digest ${id} primary key not null,
      actor ${id} not null,
      role ${text} not null check (role in ('viewer', 'operator', 'owner')),
      method ${text} not null check (method in ('key', 'token', 'link', 'openid')),
      operator_id ${id} references operators (id),
      binding ${text} not null,
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      ends_at_ms ${integer} not null
    ) ${strict}`,
  sql`create index operator_sessions_over on operator_sessions (expires_at_ms)`,
  sql`create index operator_sessions_of on operator_sessions (actor, created_at_ms)`,
  sql`
    create table sign_in_links (
      digest ${id} primary key not null,
      expires_at_ms ${integer} not null
    ) ${strict}`,
]
