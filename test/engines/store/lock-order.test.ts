import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Store } from '../../../src/ports/store.ts'
import { databaseWithTables, type FreshDatabase } from '../../servers/fresh-database.ts'
import { sampleGroup as sampleAssetGroup } from './sample-asset.ts'
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

const lock = (id: string, table = 'organizations') => {
  const column = table === 'kept_values' ? 'key' : 'id'
  return operator.query(`select 1 from ${table} where ${column} = '${id}' for no key update nowait`)
}

const expectWaiting = (count: number) => {
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  return expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(count)
}

/** Expects that `work` waits for the first row of a table before it locks the second. */
async function expectInOrder(
  work: () => Promise<unknown>,
  [first, second]: readonly [string, string],
  table = 'organizations',
): Promise<void> {
  await operator.query('begin')
  await lock(first, table)
  const done = work()
  await expectWaiting(1)
  await lock(second, table)
  await operator.query('commit')
  await done
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
  await expectInOrder(() => report(MORNING_MS), ['org_1', 'org_2'])
})

const erased = (id: string) => ({ id, atMs: MORNING_MS, audit: sampleAudit() })

const postponed = ['task_2', 'task_1'].map((id) => ({
  id,
  fence: 0,
  nextPollAtMs: MORNING_MS,
  seenAtMs: null,
}))

/** Charges lock several keys, by id too. */
test.each([
  ['an erasure of an organization', 'api_keys', () => store.erasures.eraseOrganization(erased('org_1'))],
  ['an erasure of an organization', 'video_tasks', () => store.erasures.eraseOrganization(erased('org_1'))],
  ['an erasure of a user', 'api_keys', () => store.erasures.eraseUser(erased('usr_1'))],
  [
    'an erasure of a person',
    'video_tasks',
    () => store.erasures.eraseGroup({ groupId: 'grp_1', organizationId: 'org_1' }, sampleAudit(), []),
  ],
  ['a sweep that postpones tasks', 'video_tasks', () => store.tasks.reschedule(postponed)],
] as const)('%s locks %s in the order of their ids', async (_, table, work) => {
  await createFunded(store, { balance: 1_000 })
  await store.users.create(sampleUser(), sampleAudit())
  await store.assets.bindPerson(sampleAssetGroup({ kind: 'person' }), undefined)
  for (const digest of ['2', '1']) {
    await store.apiKeys.create(sampleApiKey({ id: `key_${digest}`, digest }), sampleAudit())
    const task = { id: `task_${digest}`, standIns: ['vendorB/gen-v4-std'], encryptedRequest: 'sealed' }
    await begin(store, task, { groupIds: ['grp_1'] })
  }
  // A planner that knows how small the tables are scans them.
  await operator.query('analyze api_keys, video_tasks')
  const prefix = table === 'api_keys' ? 'key' : 'task'
  await expectInOrder(work, [`${prefix}_1`, `${prefix}_2`], table)
})

test('the removal of a share waits for the sum of its bytes first, like a write', async () => {
  const share = { name: 'bodies:org_1', bytesMax: 1_000 }
  const expiresAtMs = Date.now() + 60_000
  await store.keptValues.keep({ key: 'body:req_1', value: 'kept', expiresAtMs, share })
  await expectInOrder(
    () => store.keptValues.removeShare(share.name),
    ['bodies:org_1:bytes', 'body:req_1'],
    'kept_values',
  )
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
  await expectWaiting(1)
  await operator.query('commit')
  expect(await moved).toMatchObject({ kind: 'moved', ended: true })
  expect(await store.clips.listOfTasks(['task_1'])).toEqual([])
})
