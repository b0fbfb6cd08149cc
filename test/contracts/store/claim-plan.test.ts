import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, type RawBuilder } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { migratePostgres } from '../../../src/adapters/postgres/migrate.ts'
import { POSTGRES_TRAITS } from '../../../src/adapters/postgres/traits.ts'
import { claimDueCallbacksQuery } from '../../../src/adapters/sql/callbacks/claim-due-callbacks.ts'
import type { EngineTraits } from '../../../src/adapters/sql/engine-traits.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { claimDueTasksQuery } from '../../../src/adapters/sql/video-tasks/claim-due-tasks.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { SQLITE_TRAITS } from '../../../src/adapters/sqlite/traits.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'

const DUE = { nowMs: 5_000, leaseUntilMs: 65_000, limit: 64 }
const ORGANIZATION = `
  insert into organizations (id, name, billing, webhook_secret, created_at_ms) values ('org_1', '', 'prepaid', '', 1)`

/** 10,000 open tasks of two providers and 20,000 that have ended, each of which has its callback. */
function tasksFrom(numbers: string): string[] {
  const tasks = `
    insert into video_tasks
      (id, api_key_id, organization_id, user_id, model, provider, status, created_at_ms, next_poll_at_ms)
    select 'task_' || n, 'key_1', 'org_1', 'usr_1', 'm', case when n % 2 = 0 then 'vendorA' else 'vendorB' end,
      case when n <= 10000 then 'running' else 'succeeded' end, n, n
    from ${numbers}`
  const callbacks = `
    insert into video_callbacks
      (id, task_id, organization_id, created_at_ms, state, attempts_allowed, next_attempt_at_ms)
    select 'msg_' || n, 'task_' || n, 'org_1', n, case when n % 2 = 0 then 'pending' else 'delivered' end, 3, n - 10000
    from ${numbers} where n > 10000`
  return [ORGANIZATION, tasks, callbacks]
}

function claims(traits: EngineTraits): [string, RawBuilder<unknown>][] {
  return [
    ['video_tasks', claimDueTasksQuery({ provider: 'vendorA', ...DUE }, traits)],
    ['video_callbacks', claimDueCallbacksQuery({ except: [], ...DUE }, traits)],
    ['video_callbacks', claimDueCallbacksQuery({ except: ['org_2'], ...DUE }, traits)],
  ]
}

describe('what is due is read off the index, without sorting', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
    await migrateSqlite({ dataDir })
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    const numbers = `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 30000)
      select n from numbers)`
    for (const text of [...tasksFrom(numbers), 'analyze']) database.exec(text)
    for (const [table, query] of claims(SQLITE_TRAITS)) {
      const { sql, parameters } = query.compile(queryBuilder(database))
      const steps = database.prepare(`explain query plan ${sql}`).all(...parameters.map(String))
      const plan = steps.map(({ detail }) => String(detail))
      expect(plan.some((step) => step.startsWith(`SEARCH ${table} USING INDEX ${table}_due`))).toBe(true)
      expect(plan.filter((step) => step.startsWith(`SCAN ${table}`))).toEqual([])
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
    database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await freshDatabase()
    await migratePostgres({ url })
    const pool = new Pool({ connectionString: url, max: 1 })
    const statements = tasksFrom('generate_series(1, 30000) as n')
    for (const text of [...statements, 'analyze']) await pool.query(text)
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    for (const [table, query] of claims(POSTGRES_TRAITS)) {
      const { sql, parameters } = query.compile(db)
      const { rows } = await pool.query(`explain ${sql}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain(`Index Scan using ${table}_due`)
      expect(plan).not.toContain(`Seq Scan on ${table}`)
      expect(plan).not.toContain('Sort')
    }
    await pool.end()
    await drop()
  })
})
