import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/**
 * What a task needs on its way to its end. No program has written tasks or callbacks before this one: the defaults are
 * only what an engine asks for when it adds a column that must not be null.
 */
export function createVideoWork(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await widenTasks(db, columns)
    await widenCallbacks(db, columns)
    await createCallbackAttempts(db, columns)
    await createIdempotencyKeys(db, columns)
  }
}

async function widenTasks(db: Kysely<unknown>, { id, text, integer }: ColumnTypes): Promise<void> {
  const tasks = db.schema.alterTable('video_tasks')
  await tasks.renameColumn('callback_url', 'sealed_callback_url').execute()
  await tasks.addColumn('provider', id, (column) => column.notNull().defaultTo('')).execute()
  await tasks.addColumn('metadata', text, (column) => column.notNull().defaultTo('{}')).execute()
  await tasks.addColumn('pricing', text, (column) => column.notNull().defaultTo('{}')).execute()
  for (const name of ['sealed_ticket', 'sealed_content', 'error_code', 'error_message']) {
    await tasks.addColumn(name, text).execute()
  }
  await tasks.addColumn('notice_token_digest', id).execute()
  await tasks.addColumn('updated_at_ms', integer).execute()
  for (const name of ['expires_at_ms', 'next_poll_at_ms', 'fence']) {
    await tasks.addColumn(name, integer, (column) => column.notNull().defaultTo(0)).execute()
  }
  await sql`
    create unique index video_tasks_of_notice on video_tasks (notice_token_digest)
    where notice_token_digest is not null`.execute(db)
  await sql`
    create index video_tasks_due on video_tasks (provider, next_poll_at_ms)
    where status in ('submitting', 'queued', 'running')`.execute(db)
}

async function widenCallbacks(db: Kysely<unknown>, { id, text, integer }: ColumnTypes): Promise<void> {
  const callbacks = db.schema.alterTable('video_callbacks')
  await callbacks.addColumn('organization_id', id, (column) => column.notNull().defaultTo('')).execute()
  await callbacks
    .addColumn('state', text, (column) =>
      column.notNull().defaultTo('pending').check(sql`state in ('pending', 'delivered', 'given-up')`),
    )
    .execute()
  for (const name of ['attempt_count', 'attempts_allowed', 'next_attempt_at_ms', 'fence']) {
    await callbacks.addColumn(name, integer, (column) => column.notNull().defaultTo(0)).execute()
  }
  await sql`
    create index video_callbacks_due on video_callbacks (next_attempt_at_ms) where state = 'pending'`.execute(
    db,
  )
}

async function createCallbackAttempts(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('callback_attempts')
    .addColumn('task_id', columns.id, (column) => column.notNull().references('video_tasks.id'))
    .addColumn('attempt', columns.integer, (column) => column.notNull())
    .addColumn('at_ms', columns.integer, (column) => column.notNull())
    .addColumn('status', columns.integer)
    .addColumn('error', columns.text)
    .addPrimaryKeyConstraint('callback_attempts_once', ['task_id', 'attempt'])
    .modifyEnd(columns.strict)
    .execute()
  await sql`create index callback_attempts_by_time on callback_attempts (at_ms, task_id, attempt)`.execute(db)
}

/** The task is named without a reference: the key is claimed before the task is written. */
async function createIdempotencyKeys(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('api_key_id', columns.id, (column) => column.notNull())
    .addColumn('key', columns.id, (column) => column.notNull())
    .addColumn('body_digest', columns.id, (column) => column.notNull())
    .addColumn('task_id', columns.id, (column) => column.notNull().unique())
    .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_once', ['api_key_id', 'key'])
    .modifyEnd(columns.strict)
    .execute()
  await sql`create index idempotency_keys_over on idempotency_keys (expires_at_ms)`.execute(db)
}
