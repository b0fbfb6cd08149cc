import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

export function createTenants(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await createOrganizations(db, columns)
    await createUsers(db, columns)
    await createApiKeys(db, columns)
  }
}

async function createOrganizations(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('name', columns.text, (column) => column.notNull())
    .addColumn('billing', columns.text, (column) =>
      column.notNull().check(sql`billing in ('prepaid', 'postpaid')`),
    )
    .addColumn('balance_micros', columns.integer, (column) =>
      column.notNull().defaultTo(0).check(sql`balance_micros between -9007199254740991 and 9007199254740991`),
    )
    .addColumn('held_micros', columns.integer, (column) =>
      column.notNull().defaultTo(0).check(sql`held_micros between 0 and 9007199254740991`),
    )
    .addColumn('requests_per_minute', columns.integer, (column) =>
      column.check(sql`requests_per_minute between 0 and 10000000`),
    )
    .addColumn('webhook_secret', columns.text, (column) => column.notNull())
    .addColumn('previous_webhook_secret', columns.text)
    .addColumn('previous_webhook_secret_until_ms', columns.integer, (column) =>
      column.check(isMoment('previous_webhook_secret_until_ms')),
    )
    .addColumn('created_at_ms', columns.integer, (column) =>
      column.notNull().check(isMoment('created_at_ms')),
    )
    .addCheckConstraint(
      'organizations_prepaid_covers_holds',
      sql`billing <> 'prepaid' or balance_micros >= held_micros`,
    )
    .modifyEnd(columns.strict)
    .execute()
}

/** Not strict: a strict table of SQLite knows no decimal type, and operators compare and set the limit as a number. */
async function createUsers(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('name', columns.text, (column) => column.notNull())
    // SQLite keeps fractions in binary: far beyond this bound the sixth decimal would no longer be certain.
    .addColumn('max_daily_user_limit', columns.usd, (column) =>
      column.check(
        sql`${columns.isNumber('max_daily_user_limit')} and max_daily_user_limit between -1000000000 and 1000000000`,
      ),
    )
    .addColumn('enable_limit', columns.boolean, (column) =>
      column
        .notNull()
        .defaultTo(columns.no)
        .check(sql`${columns.isBoolean('enable_limit')}`),
    )
    .addColumn('created_at_ms', columns.integer, (column) =>
      column.notNull().check(isMoment('created_at_ms')),
    )
    .addUniqueConstraint('users_of_organization', ['organization_id', 'id'])
    .execute()
}

/** The pair of keys is what holds a key's user to the key's organization. A deleted user takes the keys along. */
async function createApiKeys(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull())
    .addColumn('user_id', columns.id, (column) => column.notNull())
    .addColumn('name', columns.text, (column) => column.notNull())
    .addColumn('prefix', columns.text, (column) => column.notNull())
    .addColumn('digest', columns.id, (column) => column.notNull().unique())
    .addColumn('requests_per_minute', columns.integer, (column) =>
      column.check(sql`requests_per_minute between 0 and 10000000`),
    )
    .addColumn('created_at_ms', columns.integer, (column) =>
      column.notNull().check(isMoment('created_at_ms')),
    )
    .addColumn('revoked_at_ms', columns.integer, (column) => column.check(isMoment('revoked_at_ms')))
    .addForeignKeyConstraint(
      'api_keys_user_of_organization',
      ['organization_id', 'user_id'],
      'users',
      ['organization_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .modifyEnd(columns.strict)
    .execute()
  await db.schema
    .createIndex('api_keys_by_user')
    .on('api_keys')
    .columns(['organization_id', 'user_id'])
    .execute()
}

/** Operators change these rows by hand: one figure that cannot be read exactly would hide all the others of its list. */
function isMoment(column: string) {
  return sql<boolean>`${sql.ref(column)} between 0 and 9007199254740991`
}
