import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { migratePostgres } from '../src/adapters/postgres/migrate.ts'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { COUNT_COLUMNS, KEY_COLUMNS } from '../src/adapters/sql/usage/rollups.ts'
import { migrateSqlite } from '../src/adapters/sqlite/migrate.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import { usageJson } from '../src/app/views/usage.ts'
import type { UsageGroup } from '../src/domain/usage/usage-query.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { atMost, type Figures } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { IS_QUICK, median } from './rounds.ts'

const DAYS = IS_QUICK ? 9 : 90
const KEYS = 1_000
const KEYS_OF_AN_ORGANIZATION = 5
const MODELS = 3
/** Requests of one key and one model on one day, among 10 million. */
const REQUESTS = 37
/** Number of hours of a day in which a key is active. */
const BUSY_HOURS = 2.4
const FROM_MS = Date.UTC(2026, 7, 1)
const DAY_MS = 86_400_000
const TO_MS = FROM_MS + DAYS * DAY_MS
const RUNS = 7
const GOALS_MS = { SQLite: 300, PostgreSQL: 100 }
const GOAL_TURN_MS = 5

const REQUESTS_MILLION = ((DAYS * KEYS * MODELS * REQUESTS) / 1e6).toFixed(1)
const NOTE =
  `Sums as ${REQUESTS_MILLION} million requests in ${DAYS} days leave them: ${KEYS / KEYS_OF_AN_ORGANIZATION} organizations with a user and ` +
  `${KEYS_OF_AN_ORGANIZATION} keys each, every key with ${MODELS} models on every day, in ${BUSY_HOURS} of its hours. Reports read nothing else.`

/** Reports over 90 days of 10 million requests, and their time on the main thread. */
export async function usageReport(): Promise<Figures[]> {
  return [await onSqlite(), await onPostgres()]
}

async function onSqlite(): Promise<Figures> {
  const dataDir = freshFolder()
  await migrateSqlite({ dataDir })
  const database = new DatabaseSync(join(dataDir, 'sluice.db'))
  database.exec(`
    create temp table numbers as
    with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${DAYS * 24}) select n from counted`)
  for (const text of fillings((count) => `(select n from numbers where n < ${count})`)) database.exec(text)
  database.close()
  const store = await openSqliteStore({ dataDir, role: 'beside', log: SILENT_LOG })
  await closeDays(store)
  const figures = await measure('SQLite', store)
  await store.close()
  rmSync(dataDir, { recursive: true })
  return figures
}

async function onPostgres(): Promise<Figures> {
  const server = await startPostgres()
  const { url } = server
  await migratePostgres({ url })
  const client = new Client({ connectionString: url })
  await client.connect()
  const series = (count: number) => `(select n from generate_series(0, ${count - 1}) as numbers(n))`
  for (const text of fillings(series)) await client.query(text)
  const store = await openPostgresStore({
    ...{ url, role: 'beside' as const, log: SILENT_LOG, metrics: SILENT_METRICS, maxConnections: 4 },
  })
  await closeDays(store)
  await client.query('vacuum analyze')
  const figures = await measure('PostgreSQL', store)
  await store.close()
  await client.end()
  await server.remove()
  return figures
}

/** Closes days as the servers do; the last day is still open. */
async function closeDays(store: Store): Promise<void> {
  const beforeMs = TO_MS - DAY_MS
  for (let closed = 1; closed > 0; ) closed = await store.usageReports.closeDay({ beforeMs })
}

/** `series(count)` is a relation of whole numbers `n` from 0. Rows come in the order of their time, as in a store. */
function fillings(series: (count: number) => string): string[] {
  const insert = (table: string, requests: number, steps: number, stepMs: number, where = '') => {
    const counts = COUNT_COLUMNS.map((column) => countOf(column, requests))
    return `insert into ${table} (${[...KEY_COLUMNS, ...COUNT_COLUMNS].join(', ')})
      select 'org_' || (k.n / ${KEYS_OF_AN_ORGANIZATION}), ${FROM_MS} + t.n * cast(${stepMs} as bigint),
        'usr_' || (k.n / ${KEYS_OF_AN_ORGANIZATION}), 'key_' || k.n, 'vendor/model-' || m.n, 'completed', ${counts.join(', ')}
      from ${series(steps)} as t cross join ${series(KEYS)} as k cross join ${series(MODELS)} as m ${where} order by t.n, k.n, m.n`
  }
  const organizations = `
    insert into organizations (id, name, billing, balance_micros, held_micros, created_at_ms, webhook_secret)
    select 'org_' || n, 'organization ' || n, 'postpaid', 0, 0, 0, '' from ${series(KEYS / KEYS_OF_AN_ORGANIZATION)} as numbered`
  return [
    organizations,
    insert('usage_rollup_day', REQUESTS, DAYS, DAY_MS),
    insert(
      'usage_rollup_hour',
      Math.round(REQUESTS / BUSY_HOURS),
      DAYS * 24,
      DAY_MS / 24,
      'where (k.n * 7 + t.n) % 10 = 0',
    ),
  ]
}

function countOf(column: string, requests: number): number {
  const each = { requests: 1, input_tokens: 900, output_tokens: 300, cost_micros: 1_200 }[column]
  if (each !== undefined) return each * requests
  return column === 'first_byte_500' || column === 'duration_2500' ? requests : 0
}

const QUESTIONS: readonly (readonly [by: readonly UsageGroup[], organizationId?: string])[] = [
  [['day']],
  [['org']],
  [['model']],
  [['key']],
  [['day', 'model']],
  [['day', 'org']],
  [['org', 'model']],
  [['day', 'model'], 'org_7'],
  [['hour'], 'org_7'],
  [['hour', 'key', 'model'], 'org_7'],
]

async function measure(engine: keyof typeof GOALS_MS, store: Store): Promise<Figures> {
  const rows: Figures['rows'] = {}
  let longestMs = 0
  let longestTurnMs = 0
  for (const [by, organizationId] of QUESTIONS) {
    const report = async () => {
      const sums = await store.usageReports.sum({
        ...{ by, fromMs: FROM_MS, toMs: TO_MS, organizationId, after: undefined, limit: 1_001 },
        unit: by.includes('hour') ? 'hour' : 'day',
      })
      return JSON.stringify(sums.slice(0, 1_000).map(usageJson))
    }
    await report()
    const times: number[] = []
    const turns: number[] = []
    const cpu: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const before = process.cpuUsage()
      const began = performance.now()
      await report()
      times.push(performance.now() - began)
      cpu.push(milliseconds(process.cpuUsage(before)))
      turns.push(await longestTurn(report))
    }
    // The run that other processes disturbed least.
    const [took, turn] = [Math.min(...times), Math.min(...turns)]
    longestMs = Math.max(longestMs, took)
    longestTurnMs = Math.max(longestTurnMs, turn)
    rows[`by ${by.join(', ')} of ${organizationId ?? 'all'}`] = {
      ...{ 'median ms': median(times), 'least ms': took },
      ...{ 'CPU ms of this process': median(cpu), 'longest turn of the loop, ms': turn },
    }
  }
  return {
    ...{ title: `Usage reports on ${engine}`, note: NOTE, rows },
    goals: [
      atMost(`Usage reports on ${engine}, the longest`, longestMs, GOALS_MS[engine], 'ms'),
      atMost(`Usage reports on ${engine}, longest turn of the loop`, longestTurnMs, GOAL_TURN_MS, 'ms'),
    ],
  }
}

/** Longest turn in processor time of the main thread, so that other load is left out. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const note = () => {
    longestMs = Math.max(longestMs, milliseconds(process.threadCpuUsage(before)))
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(note)
  }
  setImmediate(note)
  await work()
  isOver = true
  note()
  return longestMs
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e3
}
