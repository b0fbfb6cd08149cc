import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { listTasksQuery } from '../../../src/adapters/sql/tasks/list-tasks.ts'
import { pageOrganizationsQuery } from '../../../src/adapters/sql/tenants/organizations.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

const FIRST_PAGE = { keyId: 'key_1', after: undefined, limit: 21 }
const LATER_PAGE = { keyId: 'key_1', after: { createdAtMs: 5_000, id: 'task_5000' }, limit: 21 }
const SEARCHES = [
  { search: 'Lock 77', limit: 20 },
  { search: 'org_77', after: 'org_778', limit: 20 },
  { ids: ['org_7', 'org_9'], limit: 20 },
]
const COLUMNS = 'id, api_key_id, organization_id, user_id, model, status, created_at_ms'
const ORGANIZATION = `
  insert into organizations (id, name, billing, webhook_secret, created_at_ms) values ('org_1', '', 'prepaid', '', 1)`

describe('a page of tasks is read from the index without sorting, and a search of organizations reads few rows', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
    await migrateSqlite({ dataDir })
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    const db = queryBuilder(database)
    for (const [page, reach] of [
      [FIRST_PAGE, '(api_key_id=?)'],
      [LATER_PAGE, '(api_key_id=? AND (created_at_ms,id)<(?,?))'],
    ] as const) {
      const { sql, parameters } = listTasksQuery(db, page).compile()
      const steps = database.prepare(`explain query plan ${sql}`).all(...parameters.map(String))
      expect(steps.map(({ detail }) => detail)).toEqual([
        `SEARCH video_tasks USING INDEX video_tasks_listed ${reach}`,
      ])
    }
    for (const search of SEARCHES) {
      const { sql, parameters } = pageOrganizationsQuery(search).compile(db)
      const steps = database.prepare(`explain query plan ${sql}`).all(...parameters.map(String))
      expect(steps.filter(({ detail }) => String(detail).startsWith('SCAN'))).toEqual([])
    }
    database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await databaseWithTables()
    const pool = new Pool({ connectionString: url, max: 1 })
    // `end` does not wait for connections, and dropping the database ends the rest with errors.
    pool.on('error', () => {})
    await pool.query(ORGANIZATION)
    await pool.query(`
      insert into video_tasks (${COLUMNS})
      select 'task_' || n, 'key_' || n % 2, 'org_1', 'usr_1', 'vendorA/gen-2.0', 'succeeded', n
      from generate_series(1, 20000) as n`)
    await pool.query('analyze video_tasks')
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    for (const page of [FIRST_PAGE, LATER_PAGE]) {
      const { sql, parameters } = listTasksQuery(db, page).compile()
      const { rows } = await pool.query(`explain ${sql}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Scan using video_tasks_listed')
      expect(plan).not.toContain('Sort')
      expect(plan).not.toContain('Filter')
      expect(plan.includes('ROW(created_at_ms, id) < ROW(')).toBe(page.after !== undefined)
    }
    await pool.query(`
      insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      select 'org_' || n, 'Lock ' || n, 'prepaid', '', 1 from generate_series(2, 20000) as n`)
    await pool.query('analyze organizations')
    for (const search of SEARCHES) {
      const { sql, parameters } = pageOrganizationsQuery(search).compile(db)
      const { rows } = await pool.query(`explain ${sql}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).not.toContain('Seq Scan')
      expect(plan).toContain('Index')
      expect(plan.includes('organizations_by_name')).toBe('search' in search)
    }
    await pool.end()
    await drop()
  })
})
