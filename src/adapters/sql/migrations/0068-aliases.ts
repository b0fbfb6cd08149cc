import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Other names of models. An empty `organization_id` means every one: a key is never null. */
export const createAliases: MigrationStep = ({ id, text, integer, strict }) => [
  sql`
    create table model_aliases (
      organization_id ${id} default '' not null,
      alias ${id} not null,
      model ${id} not null,
      created_at_ms ${integer} not null,
      primary key (organization_id, alias)
    ) ${strict}`,
  sql`alter table video_tasks add column alias ${text}`,
]
