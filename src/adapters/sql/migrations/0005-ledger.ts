import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const WHOLE_MAX = sql.lit(Number.MAX_SAFE_INTEGER)

/** Users and tasks are named without a reference: money outlives them. */
export function createLedger(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await createHolds(db, columns)
    await createEntries(db, columns)
    await createUserDays(db, columns)
  }
}

async function createHolds(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('holds')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', columns.text, (column) => column.notNull().check(sql`kind in ('task', 'allowance')`))
    .addColumn('user_id', columns.id)
    .addColumn('day', columns.text)
    .addColumn('task_id', columns.id, (column) => column.unique())
    .addColumn('amount_micros', columns.integer, (column) =>
      column.notNull().check(sql`amount_micros between 0 and ${WHOLE_MAX}`),
    )
    .addColumn('state', columns.text, (column) =>
      column.notNull().check(sql`state in ('open', 'settled', 'released', 'expired')`),
    )
    .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('ended_at_ms', columns.integer)
    .addCheckConstraint('holds_end_once', sql`(state = 'open') = (ended_at_ms is null)`)
    .modifyEnd(columns.strict)
    .execute()
  await sql`create index holds_open on holds (expires_at_ms) where state = 'open'`.execute(db)
  await sql`create index holds_open_of_organization on holds (organization_id) where state = 'open'`.execute(
    db,
  )
}

/** Only ever added to. The two unique indexes are what makes charging or refunding a hold twice impossible. */
async function createEntries(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('ledger_entries')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', columns.text, (column) =>
      column.notNull().check(sql`kind in ('credit', 'settlement', 'usage', 'refund')`),
    )
    .addColumn('amount_micros', columns.integer, (column) =>
      column.notNull().check(sql`amount_micros between -${WHOLE_MAX} and ${WHOLE_MAX}`),
    )
    .addColumn('loss_micros', columns.integer, (column) =>
      column.notNull().defaultTo(0).check(sql`loss_micros between 0 and ${WHOLE_MAX}`),
    )
    .addColumn('hold_id', columns.id, (column) => column.references('holds.id'))
    .addColumn('note', columns.text)
    .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
    .modifyEnd(columns.strict)
    .execute()
  await sql`create unique index ledger_entries_settle_once on ledger_entries (hold_id) where kind = 'settlement'`.execute(
    db,
  )
  await sql`create unique index ledger_entries_refund_once on ledger_entries (hold_id) where kind = 'refund'`.execute(
    db,
  )
  await sql`create index ledger_entries_of_organization on ledger_entries (organization_id, id)`.execute(db)
}

/** What each user's day has come to, so that a lost cache is built again from one row. */
async function createUserDays(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('user_days')
    .addColumn('user_id', columns.id, (column) => column.notNull())
    .addColumn('day', columns.text, (column) => column.notNull())
    .addColumn('used_micros', columns.integer, (column) => column.notNull())
    .addColumn('version', columns.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_days_once', ['user_id', 'day'])
    .modifyEnd(columns.strict)
    .execute()
}
