import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { freshFolder } from './gateway.ts'
import { median } from './median.ts'

const MANY = 1_000_000
const FEW = 1_000
const PAGE = 20
const READS = 300
const ROUNDS = 5
const TIMES_MAX = 2

/** A page of 20 from the middle of a key's tasks: a million of them beside a thousand. */
export async function taskList(): Promise<void> {
  await onSqlite()
  await onPostgres()
}

async function onSqlite(): Promise<void> {
  const dataDir = freshFolder()
  const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
  const operator = new DatabaseSync(join(dataDir, 'sluice.db'))
  operator.exec(ORGANIZATION)
  for (const count of [MANY, FEW]) {
    operator.exec(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) ${insertTasks(count, 'numbers')}`,
    )
  }
  operator.exec('analyze')
  operator.close()
  await compare('SQLite', store)
  await store.close()
  rmSync(dataDir, { recursive: true })
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres()
  const store = await openPostgresStore({
    url: server.url,
    role: 'server',
    log: SILENT_LOG,
    metrics: SILENT_METRICS,
  })
  const operator = new Client({ connectionString: server.url })
  await operator.connect()
  await operator.query(ORGANIZATION)
  for (const count of [MANY, FEW]) {
    await operator.query(insertTasks(count, `generate_series(1, ${count}) as numbers(n)`))
  }
  await operator.query('analyze')
  await operator.end()
  await compare('PostgreSQL', store)
  await store.close()
  await server.remove()
}

const ORGANIZATION =
  "insert into organizations (id, name, billing, webhook_secret, created_at_ms) values ('org_bench', '', 'prepaid', '', 1)"

function insertTasks(count: number, numbers: string): string {
  return `insert into video_tasks (id, api_key_id, organization_id, user_id, model, status, created_at_ms)
    select 'task_${count}_' || n, 'key_${count}', 'org_bench', 'usr_1', 'vendorA/gen-2.0', 'succeeded', n from ${numbers}`
}

async function compare(engine: string, store: Store): Promise<void> {
  const times = new Map<number, number[]>([
    [MANY, []],
    [FEW, []],
  ])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [count, taken] of times) {
      const began = performance.now()
      for (let read = 0; read < READS; read++) await readPage(store, count)
      // The first round warms up.
      if (round > 0) taken.push(((performance.now() - began) / READS) * 1_000)
    }
  }
  const [many = NaN, few = NaN] = [...times.values()].map(median)
  const verdict = many / few <= TIMES_MAX ? 'reached' : 'MISSED'
  console.log(
    `${engine}: a page of ${MANY} tasks takes ${many.toFixed(0)} us, of ${FEW} ${few.toFixed(0)} us: ${(many / few).toFixed(2)} times (goal ${TIMES_MAX}: ${verdict})`,
  )
}

async function readPage(store: Store, count: number): Promise<void> {
  const middle = Math.floor(count / 2)
  const page = await store.tasks.list({
    keyId: `key_${count}`,
    after: { createdAtMs: middle, id: `task_${count}_${middle}` },
    limit: PAGE + 1,
  })
  if (page.length !== PAGE + 1) throw new Error(`the page has ${page.length} tasks`)
}
