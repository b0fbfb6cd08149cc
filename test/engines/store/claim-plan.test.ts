import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { POSTGRES_TRAITS } from '../../../src/adapters/postgres/engine.ts'
import { DUE_CALLBACKS } from '../../../src/adapters/sql/callbacks/callbacks.ts'
import { leasedAttempts } from '../../../src/adapters/sql/claim-attempts.ts'
import { DUE_CLIPS } from '../../../src/adapters/sql/clips/clips.ts'
import type { EngineTraits } from '../../../src/adapters/sql/engine-traits.ts'
import { claimRowsQuery, dueOrganizationsQuery } from '../../../src/adapters/sql/fair-claim.ts'
import { unchainedRevocationsQuery } from '../../../src/adapters/sql/receipts/receipts.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { dueTasks } from '../../../src/adapters/sql/tasks/claim-due-tasks.ts'
import { TASK_COLUMNS, TASK_COLUMNS_WITH_CONTENT } from '../../../src/adapters/sql/tasks/find-task.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { SQLITE_TRAITS } from '../../../src/adapters/sqlite/traits.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'

const DUE = { nowMs: 5_000_000, leaseUntilMs: 5_060_000 }
const SHARES = { shares: ['org_1', 'org_2'].map((organizationId) => ({ organizationId, limit: 32 })) }
const ORGANIZATIONS = `
  insert into organizations (id, name, billing, webhook_secret, created_at_ms)
  values ('org_1', '', 'prepaid', '', 1), ('org_2', '', 'prepaid', '', 1)`

/**
 * 100,000 due tasks of one organization, one due task of another, and 19,999 ended tasks with a callback and a copy.
 * 250 of 10,000 revocations have no receipt.
 */
function tasksFrom(numbers: string): string[] {
  const tasks = `
    insert into video_tasks
      (id, api_key_id, organization_id, user_id, model, provider, status, created_at_ms, next_poll_at_ms)
    select 'task_' || n, 'key_1', case when n = 50000 then 'org_2' else 'org_1' end, 'usr_1', 'm', 'vendorA',
      case when n <= 100001 then 'running' else 'succeeded' end, n, n
    from ${numbers}`
  const callbacks = `
    insert into video_callbacks
      (id, task_id, organization_id, created_at_ms, state, attempts_allowed, next_attempt_at_ms)
    select 'msg_' || n, 'task_' || n, case when n = 110000 then 'org_2' else 'org_1' end, n,
      case when n % 2 = 0 then 'pending' else 'delivered' end, 3, n
    from ${numbers} where n > 100001`
  const clips = `
    insert into clips
      (id, task_id, organization_id, api_key_id, provider, model, kind, state, consent, created_at_ms, attempts_allowed,
        next_attempt_at_ms)
    select 'clip_' || n, 'task_' || n, case when n = 110000 then 'org_2' else 'org_1' end, 'key_1', 'vendorA', 'm',
      'video', case when n % 2 = 0 then 'copying' else 'kept' end, 'none', n, 3, n
    from ${numbers} where n > 100001`
  const revocations = `
    insert into revocations (group_id, organization_id, verified_at_ms, revoked_at_ms, has_receipt)
    select 'group_' || n, 'org_1', 1, n, n % 40 > 0 from ${numbers} where n <= 10000`
  const receipts = `
    insert into receipts (id, organization_id, number, hash, jws, made_at_ms)
    select 'group_' || n, 'org_1', n, '', '{}', n from ${numbers} where n <= 10000 and n % 40 > 0`
  return [ORGANIZATIONS, tasks, callbacks, clips, revocations, receipts]
}

function claims(traits: EngineTraits): [string, RawBuilder<unknown>][] {
  return [
    ['video_tasks', claimRowsQuery(dueTasks('vendorA'), { ...DUE, ...SHARES }, traits)],
    ['video_callbacks', claimRowsQuery(leasedAttempts(DUE_CALLBACKS), { ...DUE, ...SHARES }, traits)],
    ['clips', claimRowsQuery(leasedAttempts(DUE_CLIPS), { ...DUE, ...SHARES }, traits)],
    ['video_tasks', dueOrganizationsQuery(dueTasks('vendorA').queue, { after: '' })],
    ['video_callbacks', dueOrganizationsQuery(DUE_CALLBACKS.queue, { after: '' })],
    ['clips', dueOrganizationsQuery(DUE_CLIPS.queue, { after: '' })],
  ]
}

test('claims and moves name their columns, and leave out the metadata of the client', () => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) })
  const columns = [TASK_COLUMNS, TASK_COLUMNS_WITH_CONTENT].map((read) => sql`select ${read}`)
  for (const query of [...claims(POSTGRES_TRAITS).map(([, claim]) => claim), ...columns])
    expect(query.compile(db).sql).not.toMatch(/metadata|(select|returning) \*/)
})

describe('due rows are read from the index, without sorting', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
    await migrateSqlite({ dataDir })
    const database = new DatabaseSync(join(dataDir, 'sluice.db'))
    database.exec('pragma synchronous = off')
    const numbers = `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 120000)
      select n from numbers)`
    for (const text of [...tasksFrom(numbers), 'analyze']) database.exec(text)
    for (const [table, query] of claims(SQLITE_TRAITS)) {
      const { sql: text, parameters } = query.compile(queryBuilder(database))
      const steps = database.prepare(`explain query plan ${text}`).all(...parameters.map(String))
      const plan = steps.map(({ detail }) => String(detail))
      const search = new RegExp(`^SEARCH (${table}|own) USING (COVERING )?INDEX ${table}_due`)
      expect(plan.some((step) => search.test(step))).toBe(true)
      expect(plan.filter((step) => /^SCAN (?!owners|due|share_|CONSTANT ROW)/.test(step))).toEqual([])
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
    const { sql: text } = unchainedRevocationsQuery({ limit: 50 }).compile(queryBuilder(database))
    const steps = database.prepare(`explain query plan ${text}`).all(50)
    // The scan may read the whole index, because the index has no other rows.
    expect(steps.map(({ detail }) => String(detail))).toEqual([
      'SCAN revocations USING INDEX revocations_owing_receipts',
      expect.stringContaining('CORRELATED'),
      expect.stringMatching(/^SEARCH receipts USING INDEX/),
    ])
    database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await databaseWithTables()
    const pool = new Pool({ connectionString: url, max: 1 })
    // `end` does not wait for connections, and dropping the database ends the rest with errors.
    pool.on('error', () => {})
    const statements = tasksFrom('generate_series(1, 120000) as n')
    for (const text of [...statements, 'analyze']) await pool.query(text)
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    for (const [table, query] of claims(POSTGRES_TRAITS)) {
      const { sql: text, parameters } = query.compile(db)
      const { rows } = await pool.query(`explain ${text}`, [...parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(new RegExp(`Index (Only )?Scan using ${table}_due`))
      expect(plan).not.toContain(`Seq Scan on ${table}`)
      expect(plan).not.toContain('Sort')
    }
    const { sql: text, parameters } = unchainedRevocationsQuery({ limit: 50 }).compile(db)
    const { rows } = await pool.query(`explain ${text}`, [...parameters])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index Scan (using|on) revocations_owing_receipts/)
    expect(plan).not.toContain('Seq Scan')
    await pool.end()
    await drop()
  })
})
