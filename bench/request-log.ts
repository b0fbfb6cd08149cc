import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { migratePostgres } from '../src/adapters/postgres/migrate.ts'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { migrateSqlite } from '../src/adapters/sqlite/migrate.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import { closeSpans } from '../src/app/requests/close-spans.ts'
import { micros } from '../src/domain/billing/micros.ts'
import type { RequestFilter } from '../src/ports/request-log.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { atMost, type Figures } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { IS_QUICK, median } from './rounds.ts'

const ROWS = IS_QUICK ? 50_000 : Number(process.env.REQUEST_LOG_ROWS ?? 10_000_000)
const ROWS_PER_INSERT = 500_000
/** A rare value is in one of this many rows, so each span has it at most once. */
const RARE = 50_000
const KEYS = 2_000
const FROM_MS = Date.UTC(2026, 9, 1)
const STEP_MS = Math.floor((30 * 86_400_000) / ROWS)
/** Rows that no span covers yet: two minutes of a busy gateway. */
const TAIL_ROWS = IS_QUICK ? 1_000 : 50_000
const LIMIT = 100
const RUNS = 7
const GOAL_MS = 300

const NOTE =
  `${(ROWS / 1e6).toLocaleString('en')} million usage rows in 30 days, of 250 organizations, ${KEYS} keys and 10 models; pages of ${LIMIT} rows. ` +
  `A rare value is in one of ${RARE.toLocaleString('en')} rows. The last ${TAIL_ROWS.toLocaleString('en')} rows are in no span yet.`

/** Pages of the request log with each filter, for a frequent and a rare value, from the end and from the middle. */
export async function requestLog(): Promise<Figures[]> {
  return [await onSqlite(), await onPostgres()]
}

async function onSqlite(): Promise<Figures> {
  const dataDir = freshFolder()
  await migrateSqlite({ dataDir })
  const database = new DatabaseSync(join(dataDir, 'sluice.db'))
  database.exec('pragma synchronous = off')
  database.exec('pragma cache_size = -2000000')
  const series = (from: number, to: number) =>
    `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to - 1}) select n from counted)`
  for (const [part, text] of fillings(series).entries()) {
    database.exec(text)
    tell(`SQLite: filled part ${part + 1}`)
  }
  database.close()
  const store = await openSqliteStore({ dataDir, role: 'beside', log: SILENT_LOG })
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
  const series = (from: number, to: number) =>
    `(select n from generate_series(cast(${from} as bigint), ${to - 1}) as numbers(n))`
  for (const [part, text] of fillings(series).entries()) {
    await client.query(text)
    tell(`PostgreSQL: filled part ${part + 1}`)
  }
  await client.query('vacuum analyze')
  const store = await openPostgresStore({
    ...{ url, role: 'beside' as const, log: SILENT_LOG, metrics: SILENT_METRICS, maxConnections: 4 },
  })
  const figures = await measure('PostgreSQL', store)
  await store.close()
  await client.end()
  await server.remove()
  return figures
}

/** `series(from, to)` is a relation of whole numbers `n`. Rows come in the order of their time. */
function fillings(series: (from: number, to: number) => string): string[] {
  const parts = Array.from({ length: Math.ceil(ROWS / ROWS_PER_INSERT) }, (_, part) => part * ROWS_PER_INSERT)
  const isRare = `n % ${RARE} = 7`
  const key = `(n * 7919 % ${KEYS})`
  const rare = (value: string, other: string) => `case when ${isRare} then ${value} else ${other} end`
  return [
    `insert into organizations (id, name, billing, balance_micros, held_micros, created_at_ms, webhook_secret)
      select 'org_' || n, 'organization ' || n, 'postpaid', 0, 0, 0, '' from ${series(0, 251)} as numbered`,
    `insert into users (id, organization_id, name, created_at_ms)
      select 'usr_' || n, 'org_' || (n / 4), '', 0 from ${series(0, 1_001)} as numbered`,
    `insert into api_keys (id, organization_id, user_id, name, prefix, digest, created_at_ms)
      select 'key_' || n, 'org_' || (n / 8), 'usr_' || (n / 2), '', '', 'digest ' || n, 0 from ${series(0, KEYS + 1)} as numbered`,
    ...parts.map(
      (from) => `insert into text_usage (id, organization_id, user_id, api_key_id, model, asked_model, day,
        input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, cost_micros, outcome, first_byte_ms,
        duration_ms, losses, price_lines, entry_id, created_at_ms, request_id, provider, price_model, vendor_usage,
        charged_at_ms, operation, status, code)
      select 'use_' || (100000000000 + n), 'org_' || ${rare('250', `(${key} / 8)`)}, 'usr_' || ${rare('1000', `(${key} / 2)`)},
        'key_' || ${rare(String(KEYS), key)}, 'vendor/model-' || ${rare('99', '(n % 10)')}, 'vendor/model-' || ${rare('99', '(n % 10)')},
        '2026-10-01', 900, 0, 0, 300, ${rare('5000000', '1200')}, 'completed', 300, 2000, null,
        '[["input_token",900,1000000],["output_token",300,4000000]]', 'ent_' || (n / 30),
        ${FROM_MS} + n * ${STEP_MS}, 'req_' || (100000000000 + n), ${rare("'rare'", "'vendor-' || (n % 4)")},
        'vendor/model-' || (n % 10), '{"input_tokens":900,"output_tokens":300,"cache_read_input_tokens":0,"service_tier":"standard"}',
        ${FROM_MS} + n * ${STEP_MS}, 'messages', ${rare('504', 'case when n % 100 = 3 then 502 else 200 end')},
        ${rare("'rare_code'", "case when n % 100 = 3 then 'provider_unavailable' end")}
      from ${series(from, Math.min(ROWS, from + ROWS_PER_INSERT))} as numbered`,
    ),
  ]
}

const FILTERS: Record<string, RequestFilter> = {
  'no filter': {},
  organization: { organizationId: 'org_7' },
  'rare organization': { organizationId: 'org_250' },
  key: { keyId: 'key_70' },
  'rare key': { keyId: `key_${KEYS}` },
  user: { userId: 'usr_7' },
  'rare user': { userId: 'usr_1000' },
  model: { model: 'vendor/model-7' },
  'rare model': { model: 'vendor/model-99' },
  provider: { provider: 'vendor-2' },
  'rare provider': { provider: 'rare' },
  status: { status: 502 },
  'rare status': { status: 504 },
  code: { code: 'provider_unavailable' },
  failed: { isFailed: true },
  'rare code': { code: 'rare_code' },
  'rare cost': { minCostMicros: micros(5_000_000) },
  'no such key': { keyId: 'key_none' },
}

async function measure(engine: string, store: Store): Promise<Figures> {
  const spanUs = await spanCost(store)
  const rows: Figures['rows'] = {}
  let longestMs = 0
  const middle = { atMs: FROM_MS + Math.floor(ROWS / 2) * STEP_MS, id: 'zzz' }
  for (const [name, filter] of Object.entries(FILTERS)) {
    const figures: Record<string, number> = {}
    for (const [place, after] of [['', undefined] as const, [' in the middle', middle] as const]) {
      const times: number[] = []
      let found = 0
      for (let run = 0; run <= RUNS; run += 1) {
        const began = performance.now()
        const page = await store.requestLog.page({ filter, after, limit: LIMIT })
        if (run > 0) times.push(performance.now() - began)
        found = page.rows.length
      }
      longestMs = Math.max(longestMs, median(times))
      figures[`median ms${place}`] = median(times)
      figures[`rows${place}`] = found
    }
    rows[name] = figures
    tell(`${engine}: ${name}: ${JSON.stringify(figures)}`)
  }
  return {
    ...{
      title: `Request log on ${engine}`,
      note: `${NOTE} Spans cost ${spanUs.toFixed(1)} us of a row.`,
      rows,
    },
    goals: [atMost(`Request log on ${engine}, the slowest page`, longestMs, GOAL_MS, 'ms')],
  }
}

/** The whole run takes more than ten minutes. */
function tell(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

/** Returns the processor time for each row in microseconds, without that of the PostgreSQL server. */
async function spanCost({ requestLog: log }: Store): Promise<number> {
  const beforeMs = FROM_MS + (ROWS - TAIL_ROWS) * STEP_MS
  const close = closeSpans({
    requestLog: log,
    clock: { nowMs: () => beforeMs + 60_000, monotonicMs: () => 0 },
  })
  const before = process.cpuUsage()
  for (let closed = 1; closed > 0; ) closed = await close()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (ROWS - TAIL_ROWS)
}
