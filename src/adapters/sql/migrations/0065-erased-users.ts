import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Time of a user's erasure; audit rows tell earlier ones, unless the user was enabled since. */
export const createErasedUsers: MigrationStep = ({ integer }) => [
  sql`alter table users add column erased_at_ms ${integer}`,
  sql`
    update users set erased_at_ms = disabled_at_ms
    where name = '' and disabled_at_ms is not null
      and id in (select subject from audit_events where action = 'user.erase')`,
]
