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
import { atMost, type Figures } from './figures.ts'
import { freshFolder } from './gateway.ts'
import { IS_QUICK, inTurn, median } from './rounds.ts'

const FEW = 1_000
const MANY = IS_QUICK ? 20_000 : 1_000_000
const MOST = 10_000_000
const ORGANIZATIONS = 1_000
const OPEN_MAX = 100_000
const KEYS_MAX = 100_000
const PAGE = 20
const CLAIM = 64
const TIMES = 100
const TIMES_MAX = 2
const NOW_MS = 2_000_000_000_000

/** Cost of work in the store with many more ended tasks. */
export async function growth(): Promise<Figures[]> {
  return [await onSqlite(), await onPostgres(MANY)]
}

/** Takes some minutes and 5 GB, so it runs only by name. */
export async function growthOfMost(): Promise<Figures[]> {
  return [await onPostgres(MOST)]
}

interface Filled {
  tasks: number
  store: Store
}

async function onSqlite(): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const filled: Filled[] = []
  for (const tasks of [FEW, MANY]) {
    const dataDir = opened.adopt(freshFolder(), (path) => rmSync(path, { recursive: true }))
    const store = await openSqliteStore({ dataDir, role: 'server', log: SILENT_LOG })
    opened.defer(() => store.close())
    const operator = new DatabaseSync(join(dataDir, 'sluice.db'))
    const series = (count: number) =>
      `(with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${count - 1}) select n from counted)`
    for (const text of fillings(tasks, series)) operator.exec(text)
    operator.exec('analyze')
    operator.close()
    filled.push({ tasks, store })
  }
  return await compare('SQLite', filled)
}

async function onPostgres(most: number): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const filled: Filled[] = []
  for (const tasks of [FEW, most]) {
    const { url, remove } = await startPostgres()
    opened.defer(remove)
    const store = await openPostgresStore({
      ...{ url, role: 'server', log: SILENT_LOG, metrics: SILENT_METRICS },
    })
    opened.defer(() => store.close())
    const operator = new Client({ connectionString: url })
    await operator.connect()
    const series = (count: number) => `(select n from generate_series(0, ${count - 1}) as counted(n))`
    for (const text of fillings(tasks, series)) await operator.query(text)
    await operator.query('vacuum analyze')
    await operator.end()
    filled.push({ tasks, store })
  }
  return await compare('PostgreSQL', filled)
}

/**
 * All ended tasks belong to one key; the open ones are due, and shared among the organizations. `series(count)` counts
 * from 0.
 */
function fillings(tasks: number, series: (count: number) => string): string[] {
  const open = Math.min(OPEN_MAX, Math.max(2 * ORGANIZATIONS, tasks / 10))
  const keys = Math.min(KEYS_MAX, Math.max(ORGANIZATIONS, tasks / 10))
  const pricing = '{"unit":"video_token","priceMicros":1,"estimatedTokens":1}'
  const insertTasks = (count: number, key: string, organization: string, status: string, id: string) => `
    insert into video_tasks (id, api_key_id, organization_id, user_id, model, provider, status, metadata, pricing,
      sealed_ticket, created_at_ms, expires_at_ms, next_poll_at_ms)
    select '${id}' || n, '${key}', ${organization}, 'usr_1', 'vendorA/gen-2.0', 'vendorA', '${status}', '{}', '${pricing}',
      'ticket', n, ${NOW_MS}, n from ${series(count)} as numbered`
  return [
    `insert into organizations (id, name, billing, webhook_secret, created_at_ms)
      select 'org_' || n, '', 'prepaid', '', 1 from ${series(ORGANIZATIONS)} as numbered`,
    `insert into users (id, organization_id, name, created_at_ms)
      select 'usr_' || n, 'org_' || n, '', 1 from ${series(ORGANIZATIONS)} as numbered`,
    `insert into api_keys (id, organization_id, user_id, name, prefix, digest, created_at_ms)
      select 'key_' || n, 'org_' || (n % ${ORGANIZATIONS}), 'usr_' || (n % ${ORGANIZATIONS}), '', '', 'digest_' || n, 1
      from ${series(keys)} as numbered`,
    insertTasks(tasks, 'key_1', "'org_1'", 'succeeded', 'task_'),
    insertTasks(open, 'key_2', `'org_' || (n % ${ORGANIZATIONS})`, 'running', 'open_'),
  ]
}

const WORK: Record<string, (filled: Filled) => Promise<void>> = {
  async 'list page'({ tasks, store }) {
    const middle = Math.floor(tasks / 2)
    const after = { createdAtMs: middle, id: `task_${middle}` }
    const page = await store.tasks.list({ keyId: 'key_1', after, limit: PAGE + 1 })
    if (page.length !== PAGE + 1) throw new Error(`the page has ${page.length} tasks`)
  },
  async get({ tasks, store }) {
    const task = await store.tasks.find({ id: `task_${Math.floor(tasks / 3)}`, keyId: 'key_1' })
    if (task === undefined) throw new Error('the task is gone')
  },
  /** A claim of 64 tasks and their return, without the shares of a sweep. */
  async sweep({ store }) {
    const claim = { provider: 'vendorA', nowMs: NOW_MS, leaseUntilMs: NOW_MS + 60_000, limit: CLAIM }
    const { tasks } = await store.tasks.claimDue(claim)
    if (tasks.length !== CLAIM) throw new Error(`the claim took ${tasks.length} tasks`)
    const nexts = tasks.map(({ id, fence }) => ({ id, fence, nextPollAtMs: 1, seenAtMs: null }))
    await store.tasks.reschedule(nexts)
  },
  async 'key lookup'({ store }) {
    const caller = await store.apiKeys.findCaller('digest_777')
    if (caller === undefined) throw new Error('the key is gone')
  },
}

async function compare(engine: string, filled: readonly Filled[]): Promise<Figures> {
  const rows: Figures['rows'] = {}
  const goals = []
  for (const [name, work] of Object.entries(WORK)) {
    const measure = async (each: Filled) => {
      const took: number[] = []
      for (let time = 0; time < TIMES; time++) {
        const began = performance.now()
        await work(each)
        took.push((performance.now() - began) * 1_000)
      }
      return median(took)
    }
    for (const each of filled) await measure(each)
    const found = await inTurn(filled, measure)
    const [few = NaN, many = NaN] = [...found.values()].map(median)
    const [leastFew = NaN, leastMany = NaN] = [...found.values()].map((times) => Math.min(...times))
    const most = filled.at(-1)?.tasks.toLocaleString('en') ?? ''
    rows[name] = {
      ...{ [`us, ${FEW.toLocaleString('en')} tasks`]: few, [`us, ${most}`]: many, times: many / few },
      'times, least': leastMany / leastFew,
    }
    goals.push(atMost(`${name} on ${engine}, ${most} tasks beside ${FEW}`, many / few, TIMES_MAX, 'times'))
  }
  const note = `${ORGANIZATIONS} organizations. One key has all ended tasks. More ended tasks come with more open tasks (from ${2 * ORGANIZATIONS}) and keys (from ${ORGANIZATIONS}), at most ${OPEN_MAX}. Wall time.`
  return { title: `Growth on ${engine}`, note, rows, goals }
}
