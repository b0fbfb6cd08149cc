import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Store } from '../../../src/ports/store.ts'
import { databaseWithTables, type FreshDatabase } from '../../servers/fresh-database.ts'
import { createFunded, sampleGroup, sampleUsageRow, TODAY } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { accept, begin, sampleMove } from './sample-task.ts'
import { SILENT_LOG } from './silent-log.ts'
import { watchedPools } from './watched-pools.ts'

const MONTH = TODAY.slice(0, 7)

let database: FreshDatabase
let store: Store
let operator: Client
let observer: Client
beforeAll(async () => {
  database = await databaseWithTables()
  const { url } = database
  store = await openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools() })
  operator = new Client({ connectionString: url })
  observer = new Client({ connectionString: url })
  await Promise.all([operator.connect(), observer.connect()])
})
afterAll(async () => {
  await Promise.all([operator.end(), observer.end(), store.close()])
  await database.drop()
})
beforeEach(() => operator.query('rollback; truncate organizations cascade'))

const lock = (id: string) =>
  operator.query(`select id from organizations where id = '${id}' for no key update nowait`)

async function untilOneWaits(): Promise<void> {
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(1)
}

/** Order of the rows in the table, in which a scan finds them. */
const SCANNED = ['org_2', 'org_1']
const REPORTS: [string, (atMs: number) => Promise<unknown>][] = [
  ['low balances', (atMs) => store.events.reportBalances({ refused: [], atMs })],
  ['refused organizations', (atMs) => store.events.reportBalances({ refused: SCANNED, atMs })],
  ['low and refused ones', (atMs) => store.events.reportBalances({ refused: ['org_1'], atMs })],
  ['budget warnings', (atMs) => store.organizations.claimBudgetWarnings({ month: MONTH, atMs })],
]

test.each(REPORTS)('a report of %s locks organizations in the order of their ids', async (what, report) => {
  for (const id of SCANNED) {
    await createFunded(store, { id, balance: 1_000 })
    const lowBalanceMicros = what.includes('low') ? micros(5_000) : null
    const isLow = what !== 'low and refused ones' || id === 'org_2'
    if (isLow) await store.organizations.update({ id, lowBalanceMicros }, sampleAudit())
    const budget = { id, month: MONTH, monthlyBudgetMicros: micros(10), warnPercent: 80 }
    await store.organizations.setBudget(budget, sampleAudit())
    const row = sampleUsageRow({ id: `use_${id}`, organizationId: id })
    await store.usage.write(sampleGroup({ id: `grp_${id}`, rows: [row], allowances: {} }))
  }
  await operator.query('begin')
  await lock('org_1')
  const reported = report(MORNING_MS)
  await untilOneWaits()
  await lock('org_2')
  await operator.query('commit')
  await reported
})

test('a task whose hold has expired gets no copy while its organization is being erased', async () => {
  await createFunded(store, { balance: 10_000 })
  await store.users.create(sampleUser(), sampleAudit())
  await store.apiKeys.create(sampleApiKey(), sampleAudit())
  await begin(store, { id: 'task_1' })
  await accept(store, sampleMove('queued'))
  await operator.query("update holds set state = 'expired', ended_at_ms = 1 where task_id = 'task_1'")
  await operator.query("begin; update organizations set name = '' where id = 'org_1'")
  const moved = store.tasks.move(sampleMove('succeeded', { clips: [{ id: 'clip_1', kind: 'video' }] }))
  await untilOneWaits()
  await operator.query('commit')
  expect(await moved).toMatchObject({ kind: 'moved', ended: true })
  expect(await store.clips.listOfTasks(['task_1'])).toEqual([])
})
