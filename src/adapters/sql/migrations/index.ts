import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import { createTenants } from './0001-tenants.ts'
import { createModels } from './0002-models.ts'
import { createVideoTasks } from './0003-video-tasks.ts'

/** Forward only, in the order of their names. One that has been released is never changed: add another. */
export function migrationsWith(columns: ColumnTypes): Record<string, Migration> {
  return {
    '0001-tenants': { up: createTenants(columns) },
    '0002-models': { up: createModels(columns) },
    '0003-video-tasks': { up: createVideoTasks(columns) },
  }
}
