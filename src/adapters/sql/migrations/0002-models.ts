import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

export const createModels: MigrationStep = ({ text, integer, strict }) => [
  sql`
    create table models (
      model_id integer primary key not null check (model_id between 1 and 2147483647),
      name ${text} not null unique,
      endpoints ${text},
      max_output_tokens ${integer} check (max_output_tokens between 1 and 2147483647),
      created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991)
    ) ${strict}`,
]
