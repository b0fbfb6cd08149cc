import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

export function createAssets(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await createGroups(db, columns)
    await createDefaultGroupClaims(db, columns)
    await createAssetRows(db, columns)
    await createAssetCounts(db, columns)
    await createVerifications(db, columns)
  }
}

async function createGroups(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('asset_groups')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', columns.text, (column) => column.notNull().check(sql`kind in ('default', 'person')`))
    .addColumn('provider', columns.id, (column) => column.notNull())
    .addColumn('ticket', columns.id, (column) => column.notNull())
    .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
    .modifyEnd(columns.strict)
    .execute()
  await sql`
    create unique index asset_groups_one_default on asset_groups (organization_id, provider)
    where kind = 'default'`.execute(db)
  await sql`
    create unique index asset_groups_one_of_a_person on asset_groups (organization_id, provider, ticket)
    where kind = 'person'`.execute(db)
}

async function createDefaultGroupClaims(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('default_group_claims')
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('provider', columns.id, (column) => column.notNull())
    .addColumn('lease_until_ms', columns.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('default_group_claims_once', ['organization_id', 'provider'])
    .modifyEnd(columns.strict)
    .execute()
}

async function createAssetRows(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('assets')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('group_id', columns.id, (column) => column.notNull().references('asset_groups.id'))
    .addColumn('group_kind', columns.text, (column) => column.notNull())
    .addColumn('provider', columns.id, (column) => column.notNull())
    .addColumn('type', columns.text, (column) =>
      column.notNull().check(sql`type in ('Image', 'Video', 'Audio')`),
    )
    .addColumn('name', columns.text)
    .addColumn('folded_name', columns.id)
    .addColumn('status', columns.text, (column) =>
      column.notNull().check(sql`status in ('processing', 'active', 'failed')`),
    )
    .addColumn('ticket', columns.id, (column) => column.notNull())
    .addColumn('sealed_url', columns.text)
    .addColumn('url_at_ms', columns.integer)
    .addColumn('error_code', columns.text)
    .addColumn('error_message', columns.text)
    .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('updated_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('next_poll_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('fence', columns.integer, (column) => column.notNull().defaultTo(0))
    .modifyEnd(columns.strict)
    .execute()
  for (const moment of ['created', 'updated']) {
    const sorted = sql`${sql.ref(`${moment}_at_ms`)}, id`
    await sql`
      create index ${sql.ref(`assets_${moment}`)}
      on assets (organization_id, group_id, ${sorted}, status, folded_name)`.execute(db)
    await sql`
      create index ${sql.ref(`assets_of_status_${moment}`)}
      on assets (organization_id, group_id, status, ${sorted})`.execute(db)
  }
  await sql`
    create index assets_due on assets (provider, next_poll_at_ms) where status = 'processing'`.execute(db)
}

/** A page says how many there are in all, and counting 200,000 rows takes longer than reading the page. */
async function createAssetCounts(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('asset_counts')
    .addColumn('organization_id', columns.id, (column) => column.notNull())
    .addColumn('group_id', columns.id, (column) => column.notNull().references('asset_groups.id'))
    .addColumn('status', columns.text, (column) => column.notNull())
    .addColumn('assets', columns.integer, (column) => column.notNull().check(sql`assets >= 0`))
    .addPrimaryKeyConstraint('asset_counts_once', ['organization_id', 'group_id', 'status'])
    .modifyEnd(columns.strict)
    .execute()
}

async function createVerifications(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('verifications')
    .addColumn('id', columns.id, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', columns.id, (column) => column.notNull().references('organizations.id'))
    .addColumn('provider', columns.id, (column) => column.notNull())
    .addColumn('state_digest', columns.id, (column) => column.notNull().unique())
    .addColumn('sealed_token', columns.text, (column) => column.notNull())
    .addColumn('sealed_callback_url', columns.text, (column) => column.notNull())
    .addColumn('created_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('expires_at_ms', columns.integer, (column) => column.notNull())
    .addColumn('exchanged_at_ms', columns.integer)
    .addColumn('sealed_redirect', columns.text)
    .addColumn('ended_at_ms', columns.integer)
    .modifyEnd(columns.strict)
    .execute()
}
