import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Verified people whom a task shows. A row is deleted with its task or its group. */
export const createTaskGroups: MigrationStep = ({ id, strict }) => [
  sql`
    create table task_groups (
      group_id ${id} not null references asset_groups (id) on delete cascade,
      task_id ${id} not null references video_tasks (id) on delete cascade,
      organization_id ${id} not null,
      constraint task_groups_once primary key (group_id, task_id)
    ) ${strict}`,
  sql`create index task_groups_of_task on task_groups (task_id, group_id)`,
  sql`create index task_groups_paged on task_groups (organization_id, task_id)`,
  sql`create index assets_of_group on assets (group_id, id)`,
]
