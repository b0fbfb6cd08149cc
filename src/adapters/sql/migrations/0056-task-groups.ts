import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Which verified people a task shows. The rows go with the task, and with the group when the person is erased. */
export function createTaskGroups(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('task_groups')
      .addColumn('group_id', columns.id, (column) =>
        column.notNull().references('asset_groups.id').onDelete('cascade'),
      )
      .addColumn('task_id', columns.id, (column) =>
        column.notNull().references('video_tasks.id').onDelete('cascade'),
      )
      .addColumn('organization_id', columns.id, (column) => column.notNull())
      .addPrimaryKeyConstraint('task_groups_once', ['group_id', 'task_id'])
      .modifyEnd(columns.strict)
      .execute()
    await db.schema
      .createIndex('task_groups_of_task')
      .on('task_groups')
      .columns(['task_id', 'group_id'])
      .execute()
    await db.schema
      .createIndex('task_groups_paged')
      .on('task_groups')
      .columns(['organization_id', 'task_id'])
      .execute()
    await db.schema.createIndex('assets_of_group').on('assets').columns(['group_id', 'id']).execute()
  }
}
