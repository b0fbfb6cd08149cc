import { sql } from 'kysely'
import type { NewAudit } from '../../../ports/audit.ts'
import type { DemoStore } from '../../../ports/demo.ts'
import { insertAudit } from '../audit/audits.ts'
import { read, type StatementsOf, single, write } from '../statement.ts'
import type { Db, Tables } from '../tables.ts'

export const DEMO = {
  listOrganizations: read(async (db) => {
    const rows = await db.selectFrom('demo_organizations').select('organization_id').execute()
    return rows.map((row) => row.organization_id)
  }),

  mark: single(async (db, organizationId) => {
    await db.insertInto('demo_organizations').values({ organization_id: organizationId }).execute()
  }),

  countOthers: read(async (db) => {
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from organizations
      where id not in (select organization_id from demo_organizations)
        and id not in (select subject from audit_events where action = 'demo.create')`.execute(db)
    return Number(rows[0]?.others ?? 0)
  }),

  remove: write(removeDemo),
} satisfies StatementsOf<DemoStore>

async function removeDemo(db: Db, { nowMs }: { nowMs: number }, audit: NewAudit): Promise<boolean> {
  const { rows: leased } = await sql`
    select id from holds where organization_id in ${OURS} and kind = 'allowance' and state = 'open'
      and expires_at_ms > ${nowMs} limit 1`.execute(db)
  if (leased.length > 0) return false
  for (const table of OF_TASKS)
    await sql`
      delete from ${sql.table(table)}
      where task_id in (select id from video_tasks where organization_id in ${OURS})`.execute(db)
  await sql`delete from user_days where user_id in (select id from users where organization_id in ${OURS})`.execute(
    db,
  )
  await sql`
    delete from request_claims
    where api_key_id in (select id from api_keys where organization_id in ${OURS})`.execute(db)
  for (const table of OF_ORGANIZATIONS)
    await sql`delete from ${sql.table(table)} where organization_id in ${OURS}`.execute(db)
  await sql`delete from organizations where id in ${OURS}`.execute(db)
  await db.deleteFrom('demo_organizations').execute()
  await insertAudit(db, audit)
  return true
}

const OURS = sql`(select organization_id from demo_organizations)`

/** In both lists, a table stands before those that it refers to. */
const OF_TASKS: readonly (keyof Tables)[] = [
  'callback_attempts',
  'video_callbacks',
  'task_attempts',
  'task_snapshots',
  'task_groups',
  'video_quotes',
  'idempotency_keys',
]

const OF_ORGANIZATIONS: readonly (keyof Tables)[] = [
  'clips',
  'video_tasks',
  'ledger_entries',
  'holds',
  'text_usage',
  'usage_rollup_hour',
  'usage_rollup_day',
  'usage_rollup_day_model',
  'usage_rollup_day_key',
  'refused_requests',
  'receipts',
  'events',
  'audit_events',
  'model_aliases',
  'vendor_ids',
  'vendor_removals',
  'revocations',
  'verifications',
  'asset_counts',
  'assets',
  'default_group_claims',
  'asset_groups',
  'api_keys',
  'users',
]
