import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Video models that step in for another, and the attempts of a task that was handed over to one of them. */
export function createStandIns(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema.alterTable('models').addColumn('stand_ins', columns.text).execute()
    await widenTasks(db, columns)
    await createAttempts(db, columns)
    await keySnapshotsByAttempt(db, columns)
  }
}

/** What the current attempt differs in from the first: one that began with the task needs none of it. */
async function widenTasks(db: Kysely<unknown>, { id, text, integer }: ColumnTypes): Promise<void> {
  const tasks = db.schema.alterTable('video_tasks')
  await tasks.addColumn('attempt', integer, (column) => column.notNull().defaultTo(1)).execute()
  await tasks.addColumn('attempt_at_ms', integer).execute()
  await tasks.addColumn('served_model', id).execute()
  await tasks.addColumn('stand_ins', text).execute()
}

async function createAttempts(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('task_attempts')
    .addColumn('id', columns.id, (column) => column.primaryKey())
    .addColumn('task_id', columns.id, (column) =>
      column.notNull().references('video_tasks.id').onDelete('cascade'),
    )
    .addColumn('number', columns.integer, (column) => column.notNull())
    .addColumn('provider', columns.id, (column) => column.notNull())
    .addColumn('model', columns.id, (column) => column.notNull())
    .addColumn('state', columns.text, (column) =>
      column.notNull().check(sql`state in ('open', 'refused', 'failed', 'succeeded', 'cancelled')`),
    )
    .addColumn('sealed_ticket', columns.text)
    .addColumn('began_at_ms', columns.integer)
    .addColumn('ended_at_ms', columns.integer)
    .addColumn('reason', columns.text)
    .addColumn('message', columns.text)
    .addColumn('vendor_cost_micros', columns.integer)
    .addUniqueConstraint('task_attempts_once', ['task_id', 'number'])
    .modifyEnd(columns.strict)
    .execute()
}

/** Two attempts may both have been queued. One engine cannot change a key: the table is made again. */
async function keySnapshotsByAttempt(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('task_snapshots_by_attempt')
    .addColumn('task_id', columns.id, (column) =>
      column.notNull().references('video_tasks.id').onDelete('cascade'),
    )
    .addColumn('attempt', columns.integer, (column) => column.notNull().defaultTo(1))
    .addColumn('status', columns.id, (column) => column.notNull())
    .addColumn('at_ms', columns.integer, (column) => column.notNull())
    .addColumn('error_code', columns.text)
    .addColumn('error_message', columns.text)
    .addColumn('measured', columns.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('task_snapshots_by_attempt_once', ['task_id', 'attempt', 'status'])
    .modifyEnd(columns.strict)
    .execute()
  await sql`
    insert into task_snapshots_by_attempt (task_id, status, at_ms, error_code, error_message, measured)
    select task_id, status, at_ms, error_code, error_message, measured from task_snapshots`.execute(db)
  await db.schema.dropTable('task_snapshots').execute()
  await db.schema.alterTable('task_snapshots_by_attempt').renameTo('task_snapshots').execute()
}
