import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { POSTGRES_TRAITS } from '../../../src/adapters/postgres/engine.ts'
import { VALUE_PARSERS } from '../../../src/adapters/postgres/value-parsers.ts'
import type { Engine, RunOperation } from '../../../src/adapters/sql/engine.ts'
import type { EngineTraits } from '../../../src/adapters/sql/engine-traits.ts'
import { storeOn } from '../../../src/adapters/sql/store-on.ts'
import type { Tables } from '../../../src/adapters/sql/tables.ts'
import { migrateSqlite } from '../../../src/adapters/sqlite/migrate.ts'
import { queryBuilder } from '../../../src/adapters/sqlite/query-builder.ts'
import { SQLITE_TRAITS } from '../../../src/adapters/sqlite/traits.ts'
import type { Store } from '../../../src/ports/store.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { createFunded, sampleGroup, sampleLease, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { accept, begin, sampleClaim, sampleMove } from './sample-task.ts'

/** Frequent work of requests and sweeps: a task from its begin to its end and callback, and text requests. */
async function runHotPaths(store: Store): Promise<void> {
  const { tasks, callbacks, clips, usage, apiKeys, requestClaims } = store
  const nowMs = MORNING_MS + 20_000
  const due = { nowMs, leaseUntilMs: nowMs + 60_000, limit: 8 }
  await apiKeys.findCaller('digest')
  await begin(store, { noticeTokenDigest: 'token' }, { idempotency: sampleClaim() })
  await tasks.findReplay({ keyId: 'key_1', key: 'once', bodyDigest: 'body-1', nowMs })
  await accept(store)
  await tasks.list({ keyId: 'key_1', after: undefined, limit: 21 })
  await tasks.list({ keyId: 'key_1', after: { createdAtMs: nowMs, id: 'task_9' }, limit: 21 })
  await tasks.find({ id: 'task_1', keyId: 'key_1' })
  await tasks.findByNotice('token')
  const { tasks: claimed } = await tasks.claimDue({ provider: 'vendorA', ...due })
  expect(claimed.map(({ id }) => id)).toEqual(['task_1'])
  await tasks.reschedule(
    claimed.map(({ id, fence }) => ({ id, fence, nextPollAtMs: nowMs, seenAtMs: nowMs })),
  )
  await tasks.move(sampleMove('running'))
  await tasks.move(sampleMove('succeeded', { clips: [{ id: 'clip_1', kind: 'video' }] }))
  await tasks.findWhole('task_1')
  await runCopy(clips, due)
  await callbacks.claimDue(due)
  await usage.lease(sampleLease([100]))
  await usage.write(sampleGroup({ rows: [sampleUsageRow(), sampleUsageRow({ id: 'use_2' })] }))
  await requestClaims.free('claim')
  await store.ledger.readDay({ userId: 'usr_1', day: '2023-11-14' })
}

/** Runs the queries of a copy from its claim to its link, and those of the sweeps. */
async function runCopy(clips: Store['clips'], due: Parameters<typeof clips.claimDue>[0]): Promise<void> {
  const { nowMs, limit } = due
  const { due: claimed } = await clips.claimDue(due)
  expect(claimed.map(({ id }) => id)).toEqual(['clip_1'])
  await clips.sumKept('org_1')
  const facts = {
    ...{ sha256: 'a', sourceSha256: 'b', bytes: 1, mediaType: 'video/mp4', watermark: null },
    ...{ durationMs: null, width: null, height: null, marks: null },
  }
  const kept = { id: 'clip_1', fence: 1, storeKey: 'org_1/clip_1/1.mp4', atMs: nowMs, keptUntilMs: nowMs + 1 }
  expect(await clips.keep({ ...kept, facts })).toBe(true)
  await clips.listOfTasks(['task_1'])
  await clips.find('clip_1')
  await clips.findByHash('a')
  await clips.eraseExpired({ nowMs, limit })
  await clips.listWithFiles({ nowMs, limit })
}

async function prepare(store: Store): Promise<void> {
  await createFunded(store, { balance: 10_000 })
  await store.users.create(sampleUser(), sampleAudit())
  await store.apiKeys.create(sampleApiKey(), sampleAudit())
}

/** The operations as an engine runs them, on a connection whose statements the test can see. */
function storeOver(db: Kysely<Tables>, traits: EngineTraits): Store {
  const write: RunOperation = ({ run }, args) =>
    db.transaction().execute((inside) => run(inside, ...args, traits))
  const engine: Pick<Engine, 'read' | 'write' | 'single'> = {
    read: ({ run }, args) => run(db, ...args),
    write,
    single: write,
  }
  return storeOn(engine as Engine)
}

describe('no statement of a hot path looks at all rows of a table', () => {
  test('on SQLite', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-plan-'))
    await migrateSqlite({ dataDir })
    const database = new WatchedDatabase(join(dataDir, 'sluice.db'))
    const store = storeOver(queryBuilder(database), SQLITE_TRAITS)
    await prepare(store)
    database.prepared.clear()
    await runHotPaths(store)
    const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
    const names = new Set(tables.map(({ name }) => String(name)))
    const statements = [...database.prepared].filter((text) =>
      /^\s*(select|insert|update|delete|with)/i.test(text),
    )
    expect(statements.length).toBeGreaterThan(20)
    // Foreign keys are off for inserts: SQLite would plan a search for child rows that runs only after a violation.
    const scans = statements.flatMap((text) => {
      database.exec(`pragma foreign_keys = ${/^\s*insert/i.test(text) ? 'off' : 'on'}`)
      const steps = database.prepare(`explain query plan ${text}`).all()
      const whole = steps.filter(({ detail }) => names.has(String(detail).match(/^SCAN (\w+)/)?.[1] ?? ''))
      return whole.map(({ detail }) => ({ detail, text }))
    })
    expect(scans).toEqual([])
    database.close()
    rmSync(dataDir, { recursive: true })
  })

  test('on PostgreSQL', async () => {
    const { url, drop } = await databaseWithTables()
    const pool = new Pool({ connectionString: url, max: 1, types: VALUE_PARSERS })
    // `end` does not wait for connections, and dropping the database ends the rest with errors.
    pool.on('error', () => {})
    const queries = new Map<string, CompiledQuery>()
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void queries.set(query.sql, query),
    })
    const store = storeOver(db, POSTGRES_TRAITS)
    await prepare(store)
    queries.clear()
    await runHotPaths(store)
    expect(queries.size).toBeGreaterThan(20)
    // PostgreSQL prefers sequential scans of small tables; now it scans only where no index helps.
    await pool.query('set enable_seqscan = off')
    const { rows: indexes } = await pool.query(
      `select indexname as name from pg_indexes where indexdef like '% WHERE %'`,
    )
    const partial = new Set<string>(indexes.map(({ name }) => name))
    for (const { sql: text, parameters } of queries.values()) {
      if (!/^\s*(select|insert|update|delete|with)/i.test(text)) continue
      const { rows } = await pool.query(`explain (format json) ${text}`, [...parameters])
      expect({ text, scans: scansOf(rows[0]['QUERY PLAN'][0].Plan, partial) }).toEqual({ text, scans: [] })
    }
    await pool.end()
    await drop()
  })
})

class WatchedDatabase extends DatabaseSync {
  readonly prepared = new Set<string>()

  override prepare(text: string): StatementSync {
    this.prepared.add(text)
    return super.prepare(text)
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** Returns the tables that are read whole, also through an index. A partial index is left out: it has few rows here. */
function scansOf(node: PlanNode, partial: ReadonlySet<string>): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '', Plans: below = [] } = node
  const isIndexScan = /^(Bitmap )?Index (Only )?Scan$/.test(type)
  const isWhole =
    type === 'Seq Scan' || (isIndexScan && node['Index Cond'] === undefined && !partial.has(index))
  const found = below.flatMap((each) => scansOf(each, partial))
  return isWhole ? [`${type} of ${table} ${index}`, ...found] : found
}
