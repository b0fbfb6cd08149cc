import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { POSTGRES_TRAITS } from '../../../src/adapters/postgres/engine.ts'
import { dueAssets } from '../../../src/adapters/sql/assets/claim-due-assets.ts'
import { type AssetPage, listAssetsQuery } from '../../../src/adapters/sql/assets/list-assets.ts'
import { claimRowsQuery } from '../../../src/adapters/sql/fair-claim.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { SQLITE_TRAITS } from '../../../src/adapters/sqlite/traits.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

const PAGE: AssetPage = {
  organizationId: 'org_1',
  groupId: 'grp_1',
  statuses: ['processing', 'active', 'failed'],
  name: undefined,
  sortBy: 'create_time',
  sortOrder: 'desc',
  reach: { fromEnd: false, offset: 20, limit: 10 },
}
const BY_UPDATE = { ...PAGE, sortBy: 'update_time' } as const
const PAGES: [string, AssetPage][] = [
  ['assets_created', PAGE],
  ['assets_created', { ...PAGE, sortOrder: 'asc' }],
  ['assets_created', { ...PAGE, sortBy: 'group_id' }],
  ['assets_created', { ...PAGE, reach: { fromEnd: true, offset: 5, limit: 10 } }],
  ['assets_created', { ...PAGE, statuses: ['active', 'failed'] }],
  ['assets_of_status_created', { ...PAGE, statuses: ['failed'] }],
  ['assets_created', { ...PAGE, name: 'cat', statuses: ['failed'] }],
  ['assets_updated', BY_UPDATE],
  ['assets_updated', { ...BY_UPDATE, name: 'cat' }],
  ['assets_updated', { ...BY_UPDATE, statuses: ['active', 'processing'], sortOrder: 'asc' }],
  ['assets_of_status_updated', { ...BY_UPDATE, statuses: ['processing'], sortOrder: 'asc' }],
]
const DUE = { provider: 'vendorA', nowMs: 5_000, leaseUntilMs: 65_000, limit: 64 }

/** 30,000 assets of two groups; one in a hundred is processing, one in a hundred has failed. */
function assetsFrom(numbers: string): string[] {
  return [
    `insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      values ('org_1', '', 'prepaid', '', 1)`,
    `insert into asset_groups (id, organization_id, kind, provider, ticket, created_at_ms)
      values ('grp_0', 'org_1', 'person', 'vendorA', '', 1), ('grp_1', 'org_1', 'default', 'vendorA', '', 1)`,
    `insert into assets
      (id, organization_id, group_id, group_kind, provider, type, status, ticket, created_at_ms, updated_at_ms,
       next_poll_at_ms)
    select 'ast_' || n, 'org_1', 'grp_' || (n % 2), 'default', 'vendorA', 'Image',
      case when n % 100 = 1 then 'failed' when n % 100 = 3 then 'processing' else 'active' end, '', n, n, n
    from ${numbers}`,
  ]
}

describe('a page of assets and the due assets are read from an index', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
    await migrateSqlite({ dataDir })
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    const db = queryBuilder(database)
    const explain = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      database
        .prepare(`explain query plan ${sql}`)
        .all(...parameters.map(String))
        .map(({ detail }) => String(detail))
    const numbers = `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 30000)
      select n from numbers)`
    for (const text of assetsFrom(numbers)) database.exec(text)
    for (const [index, page] of PAGES) {
      const plan = explain(listAssetsQuery(page).compile(db))
      expect(plan.find((step) => step.includes('INDEX assets_'))).toMatch(
        new RegExp(`^SEARCH assets USING COVERING INDEX ${index} `),
      )
      expect(plan.filter((step) => step.startsWith('SCAN assets'))).toEqual([])
      // Only the page is sorted again, after its rows have been fetched.
      expect(plan.filter((step) => step.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(1)
    }
    const claim = explain(
      claimRowsQuery(
        dueAssets('vendorA'),
        { ...DUE, shares: [{ organizationId: 'org_1', limit: 64 }] },
        SQLITE_TRAITS,
      ).compile(db),
    )
    expect(claim.some((step) => step.startsWith('SEARCH assets USING INDEX assets_due'))).toBe(true)
    expect(claim.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await databaseWithTables()
    const pool = new Pool({ connectionString: url, max: 1 })
    // `end` does not wait for connections, and dropping the database ends the rest with errors.
    pool.on('error', () => {})
    for (const text of assetsFrom('generate_series(1, 30000) as n')) await pool.query(text)
    await pool.query('vacuum analyze assets')
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    const explain = async ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      const { rows } = await pool.query(`explain ${sql}`, [...parameters])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    // PostgreSQL cannot know which names are rare, so pages by name are left out.
    for (const [index, page] of PAGES.filter(([, { name }]) => name === undefined)) {
      const plan = await explain(listAssetsQuery(page).compile(db))
      expect(plan).toMatch(
        new RegExp(`Limit .*\\n +-> +Index Only Scan( Backward)? using ${index} on assets`),
      )
      expect(plan).not.toContain('Seq Scan')
      expect(plan).not.toContain('Hash Join')
    }
    const claim = await explain(
      claimRowsQuery(
        dueAssets('vendorA'),
        { ...DUE, shares: [{ organizationId: 'org_1', limit: 64 }] },
        POSTGRES_TRAITS,
      ).compile(db),
    )
    expect(claim).toContain('Index Scan using assets_due')
    expect(claim).not.toContain('Sort')
    await pool.end()
    await drop()
  })
})
