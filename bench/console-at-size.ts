import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { openPostgresStore } from '../src/adapters/postgres/open-store.ts'
import { COUNT_COLUMNS, KEY_COLUMNS } from '../src/adapters/sql/usage/rollups.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'
import { startPostgres } from '../test/servers/postgres-server.ts'
import { SILENT_METRICS } from '../test/silent-metrics.ts'
import { atMost, type Figures } from './figures.ts'
import { freshFolder, startGateway } from './gateway.ts'
import { IS_QUICK, median } from './rounds.ts'
import { readLag, watching } from './text/longest-turn.ts'

const TASKS = IS_QUICK ? 50_000 : 1_000_000
const USAGE_ROWS = IS_QUICK ? 200_000 : 10_000_000
const ROWS_OF_AN_ENTRY = 50
const ORGANIZATIONS = 200
const KEYS = 1_000
const MODELS = 3
const DAYS = 90
const DAY_MS = 86_400_000
const RUNS = 7
const GOAL_MS = 300
const GOAL_TURN_MS = 5
const ADMIN_KEY = 'an-admin-key-of-the-benchmark'
/** The last of the days is today. */
const FROM_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS

/** The first queries of the console's pages, with a million videos and ten million text requests. */
export async function consoleAtSize(): Promise<Figures[]> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.adopt(freshFolder(), (path) => rmSync(path, { recursive: true, force: true }))
  const lagFile = join(folder, 'lag.json')
  const { url, remove } = await startPostgres()
  opened.defer(remove)
  // The gateway starts on an empty store: it refuses one with customers that was not made with its secret.
  const gateway = await startGateway({
    environment: {
      DATABASE_URL: url,
      SLUICE_SECRET: 'a secret of the benchmark, long enough',
      ADMIN_API_KEY: ADMIN_KEY,
      ...watching(lagFile),
    },
  })
  opened.defer(() => gateway.stop())
  await fill(url)
  const rows: Figures['rows'] = {}
  const goals = []
  let longestTurnMs = 0
  for (const [page, path] of Object.entries(PAGES)) {
    const times: number[] = []
    const turns: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      await readLag(gateway.pid, lagFile)
      times.push(await timeOf(`${gateway.url}/admin/v1${path}`))
      turns.push((await readLag(gateway.pid, lagFile)).cpuMs)
    }
    const [best, turn] = [Math.min(...times), median(turns)]
    longestTurnMs = Math.max(longestTurnMs, turn)
    rows[page] = {
      call: `GET ${path}`,
      'median ms': round(median(times)),
      'best ms': round(best),
      'longest turn, CPU ms': round(turn),
    }
    console.log(
      `${page.padEnd(26)} median ${round(median(times))} ms, best ${round(best)} ms, turn ${round(turn)} ms`,
    )
    goals.push(atMost(`Console page ${page}`, best, GOAL_MS, 'ms'))
  }
  goals.push(atMost('Console pages, longest turn of the loop', longestTurnMs, GOAL_TURN_MS, 'ms'))
  const note = `${TASKS} video tasks, ${USAGE_ROWS} text requests, ${ORGANIZATIONS} organizations with ${KEYS / ORGANIZATIONS} keys each, on PostgreSQL.`
  return [{ title: 'Console pages on a large store', note, rows, goals }]
}

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const [FROM, TO] = [iso(FROM_MS), iso(FROM_MS + DAYS * DAY_MS)]
const MONTH = iso(FROM_MS + 60 * DAY_MS)

const PAGES: Record<string, string> = {
  overview: '/overview',
  'overview, 30 days': `/overview?from=${MONTH}&to=${TO}`,
  'overview, 90 days': `/overview?from=${FROM}&to=${TO}`,
  'overview, chart': `/usage?by=day&from=${FROM}&to=${TO}`,
  'overview, by customer': `/usage?by=org&from=${FROM}&to=${TO}`,
  'overview, by model': `/usage?by=model&from=${FROM}&to=${TO}`,
  'overview, by key': `/usage?by=key&from=${FROM}&to=${TO}`,
  customers: '/organizations',
  'customer, keys': '/keys?organization_id=org_7',
  'customer, users': '/users?organization_id=org_7',
  'customer, usage': `/usage?by=day,model&from=${FROM}&to=${TO}&organization_id=org_7`,
  video: '/tasks',
  'video, failed': '/tasks?status=failed',
  'video, failed of one': '/tasks?status=failed&organization_id=org_7',
  'video, stuck': '/tasks?stuck=true',
  'video, model and moment': `/tasks?model=vendorA/gen-2.0&from=${FROM}&to=${iso(FROM_MS + DAY_MS)}`,
  money: '/ledger',
  'money, of one': '/ledger?organization_id=org_7',
  'money, credit': '/ledger?kind=credit',
  callbacks: '/callbacks',
  'callbacks, given up': '/callbacks?state=given-up',
  audit: '/audit',
  'audit, by action': '/audit?action=credit.add',
  assets: '/assets?limit=48',
  people: '/groups?kind=person',
  checks: '/verifications',
  prices: '/models',
  providers: '/providers',
  'one charge': `/usage/req_${Math.floor(USAGE_ROWS / 2)}`,
}

async function timeOf(url: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url, { headers: { 'x-admin-key': ADMIN_KEY } })
  const text = await answer.text()
  const took = performance.now() - began
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return took
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const [what, text] of Object.entries(fillings())) {
    const began = performance.now()
    await client.query(text)
    console.log(`filled ${what} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  }
  const store = await openPostgresStore({
    ...{ url, role: 'beside' as const, log: SILENT_LOG, metrics: SILENT_METRICS },
  })
  const beforeMs = FROM_MS + (DAYS - 1) * DAY_MS
  for (let closed = 1; closed > 0; ) closed = await store.usageReports.closeDay({ beforeMs })
  await store.close()
  await client.query('vacuum analyze')
  await client.end()
}

/** Everything is spread evenly over the days; one task in fifty failed, one callback in a thousand was given up. */
function fillings(): Record<string, string> {
  const series = (count: number) => `generate_series(0, ${count - 1}) as counted(n)`
  const momentOf = (count: number) => `(${FROM_MS} + n::bigint * ${(DAYS - 1) * DAY_MS} / ${count})`
  const taskId = `'task_' || lpad(to_hex(${momentOf(TASKS)}), 12, '0') || lpad(to_hex(n), 20, '0')`
  const organization = `'org_' || (n % ${ORGANIZATIONS})`
  const user = `'usr_' || (n % ${ORGANIZATIONS})`
  const key = `'key_' || (n % ${KEYS})`
  const counts = COUNT_COLUMNS.map((column) =>
    ['requests', 'input_tokens', 'output_tokens', 'cost_micros', 'first_byte_500', 'duration_2500'].includes(
      column,
    )
      ? 37
      : 0,
  )
  const rollups = (table: string, steps: number, stepMs: number, where: string) => `
    insert into ${table} (${[...KEY_COLUMNS, ...COUNT_COLUMNS].join(', ')})
    select 'org_' || (k % ${ORGANIZATIONS}), ${FROM_MS} + t * ${stepMs}::bigint, 'usr_' || (k % ${ORGANIZATIONS}), 'key_' || k,
      'vendorC/model-' || m, 'completed', ${counts.join(', ')}
    from generate_series(0, ${steps - 1}) as t cross join generate_series(0, ${KEYS - 1}) as k
    cross join generate_series(1, ${MODELS}) as m ${where} order by t, k, m`
  const pricing = '{"unit":"video_token","priceMicros":1,"estimatedTokens":1}'
  return {
    organizations: `
      insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      select 'org_' || n, 'organization ' || n, 'prepaid', '', ${FROM_MS} from ${series(ORGANIZATIONS)}`,
    users: `
      insert into users (id, organization_id, name, created_at_ms)
      select 'usr_' || n, 'org_' || n, 'user ' || n, ${FROM_MS} from ${series(ORGANIZATIONS)}`,
    keys: `
      insert into api_keys (id, organization_id, user_id, name, prefix, digest, created_at_ms)
      select 'key_' || n, ${organization}, ${user}, 'key ' || n, '', 'digest_' || n, ${FROM_MS} from ${series(KEYS)}`,
    tasks: `
      insert into video_tasks (id, api_key_id, organization_id, user_id, model, provider, status, metadata, pricing,
        sealed_ticket, created_at_ms, expires_at_ms, completed_at_ms)
      select ${taskId}, ${key}, ${organization}, ${user}, 'vendorA/gen-2.0', 'vendorA',
        case when n % 50 = 0 then 'failed' else 'succeeded' end, '{}', '${pricing}', 'ticket', ${momentOf(TASKS)},
        ${momentOf(TASKS)} + 3600000, ${momentOf(TASKS)} + 60000 from ${series(TASKS)}`,
    callbacks: `
      insert into video_callbacks (id, task_id, created_at_ms, state)
      select 'cb_' || id, id, created_at_ms,
        case when abs(hashtext(id)) % 1000 = 0 then 'given-up' else 'delivered' end from video_tasks`,
    entries: `
      insert into ledger_entries (id, organization_id, kind, amount_micros, created_at_ms)
      select 'ent_' || lpad(to_hex(${momentOf(USAGE_ROWS / ROWS_OF_AN_ENTRY)}), 12, '0') || lpad(to_hex(n), 20, '0'),
        ${organization}, case when n % 1000 = 0 then 'credit' else 'usage' end, 1, ${momentOf(USAGE_ROWS / ROWS_OF_AN_ENTRY)}
      from ${series(USAGE_ROWS / ROWS_OF_AN_ENTRY)}`,
    'audit events': `
      insert into audit_events (id, at_ms, actor, action, organization_id, subject, detail)
      select 'aud_' || lpad(to_hex(${momentOf(100_000)}), 12, '0') || lpad(to_hex(n), 20, '0'), ${momentOf(100_000)}, 'cli',
        case when n % 100 = 0 then 'credit.add' else 'key.create' end, ${organization}, ${key}, '{}' from ${series(100_000)}`,
    'usage rows': `
      insert into text_usage (id, organization_id, user_id, api_key_id, model, day, input_tokens, cached_input_tokens,
        cache_write_tokens, output_tokens, cost_micros, outcome, first_byte_ms, duration_ms, entry_id, created_at_ms,
        request_id, charged_at_ms)
      select 'use_' || n, ${organization}, ${user}, ${key}, 'vendorC/model-1', '2026-01-01', 900, 0, 0, 300, 1200,
        'completed', 300, 2000, 'ent_' || (n / ${ROWS_OF_AN_ENTRY}), ${momentOf(USAGE_ROWS)}, 'req_' || n,
        ${momentOf(USAGE_ROWS)} from ${series(USAGE_ROWS)}`,
    'sums by day': rollups('usage_rollup_day', DAYS, DAY_MS, ''),
    'sums by hour': rollups('usage_rollup_hour', DAYS * 24, DAY_MS / 24, 'where (k * 7 + t) % 10 = 0'),
  }
}
