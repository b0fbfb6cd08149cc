import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Maximum input of a model, which a request reserves when its input cannot be counted. */
export const createContextTokens: MigrationStep = ({ integer }) => [
  sql`
    alter table models add column context_tokens ${integer}
    check (context_tokens between 1 and 2147483647)`,
]
