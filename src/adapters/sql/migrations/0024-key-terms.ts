import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Expiry and allowed models of a key. Null: no expiry, all models. */
export const createKeyTerms: MigrationStep = ({ text, integer }) => [
  sql`
    alter table api_keys add column expires_at_ms ${integer}
    check (expires_at_ms between 0 and 9007199254740991)`,
  sql`alter table api_keys add column allowed_models ${text}`,
]
