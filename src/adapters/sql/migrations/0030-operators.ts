import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Operators with their tokens. The audit log identifies operators by their names, which are unique. */
export const createOperators: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table operators (
      id ${id} primary key not null,
      name ${id} not null unique,
      role ${text} not null check (role in ('viewer', 'operator', 'owner')),
      prefix ${text} not null,
      digest ${id} not null unique,
      created_at_ms ${integer} not null,
      revoked_at_ms ${integer}
    ) ${strict}`,
]
