import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresStore } from '../../../src/adapters/postgres/open-store.ts'
import { makeNoticeToken } from '../../../src/app/video/notice-token.ts'
import type { Caller } from '../../../src/domain/access/api-key.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createTestClock } from '../../engines/money/test-clock.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { watchedPools } from '../../engines/store/watched-pools.ts'
import { acceptTask, beginTask, SECOND_MICROS } from '../../engines/video-work/make-task.ts'
import { CREDIT_MICROS, makeTenant, type Tenant } from '../../engines/video-work/tenant.ts'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'
import { databaseWithTables, type FreshDatabase } from '../../servers/fresh-database.ts'
import { patiently } from './patiently.ts'
import { moodyVendor, secondsOf } from './video-moody-vendor.ts'
import { openReplica, PROVIDER, type Replica, SECRETS } from './video-replica.ts'

const TIMEOUT_MS = 900_000
/** Few enough that every request gets a connection in time, also on a busy machine. */
const BATCH = 50
const SEQUENCES = BATCH * roundsOf({ slice: 30, whole: 200 })
const TENANTS = 10
const ROUNDS = 1
const SWEEP_INTERVAL_MS = 5_000

let database: FreshDatabase
let stores: [Store, Store]
let operator: Client
beforeAll(async () => {
  database = await databaseWithTables()
  // The races test the order and not crashes, so writes need not wait for the disk.
  const url = `${database.url}?options=${encodeURIComponent('-c synchronous_commit=off')}`
  const open = () =>
    openPostgresStore({ role: 'server', url, log: SILENT_LOG, metrics: watchedPools(), maxConnections: 16 })
  stores = [await open(), await open()]
  operator = new Client({ connectionString: url })
  await operator.connect()
})
afterAll(async () => {
  await operator.end()
  for (const store of stores) await store.close()
  await database.drop()
})

test(`Get, notice, sweep and DELETE race for a task on two replicas, ${SEQUENCES} times`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = seedOfRun()
  const random = seededRandom(seed)
  const clock = createTestClock()
  const scenario: Scenario = { random, reported: new Map(), deletions: new Map(), counts: {} }
  const tenants: Tenant[] = []
  for (let number = 1; number <= TENANTS; number += 1)
    tenants.push(await makeTenant(stores[0], SECRETS, number))

  let endings = 0
  for (let first = 0; first < SEQUENCES; first += BATCH) {
    const vendor = moodyVendor(seed + first)
    const replicas: Replicas = [
      openReplica({ store: stores[0], driver: vendor, clock }),
      openReplica({ store: stores[1], driver: vendor, clock }),
    ]
    const raced = await Promise.all(
      Array.from({ length: BATCH }, (_, number) => makeRaced(number, { replicas, tenants })),
    )
    for (let round = 0; round < ROUNDS; round += 1) {
      clock.pass(SWEEP_INTERVAL_MS)
      await raceOnce(raced, replicas, scenario)
    }
    vendor.comeToTheEnd()
    // The last pass runs when all tasks have ended, and must change nothing.
    for (let open = BATCH; open >= 0; open = open > 0 ? await countOpen() : -1) {
      clock.pass(SWEEP_INTERVAL_MS)
      await raceOnce(raced, replicas, scenario)
    }
    for (const { ended, sweep, notices } of replicas) {
      endings += ended.count
      await notices.stop()
      await sweep.stop()
    }
  }

  const rows = await readRows()
  expect(rows).toHaveLength(SEQUENCES)
  const wrong = rows
    .filter((row) => !isSound(row, scenario))
    .map((row) => ({ ...row, ...toldOf(row, scenario) }))
  expect(wrong).toEqual([])
  expect(endings).toBe(rows.filter(({ owes }) => owes).length)
  expect(await stores[0].ledger.check({ nowMs: clock.nowMs(), limit: 5 })).toEqual([])
  const ends = Object.groupBy(rows, ({ status }) => status)
  const tally = Object.entries(ends).map(([status, those]) => `${status} ${those?.length}`)
  const paidMicros = rows.reduce((sum, row) => sum + row.paidMicros, 0)
  tally.push(`paid ${paidMicros} micro-USD`)
  const { rows: sums } = await operator.query(
    'select sum(balance_micros)::text as balance, sum(held_micros)::text as held from organizations',
  )
  expect(sums).toEqual([{ balance: String(TENANTS * CREDIT_MICROS - paidMicros), held: '0' }])
  process.stdout.write(`video races: ${tally.join(', ')}; asked: ${JSON.stringify(scenario.counts)}\n`)
})

type Replicas = readonly [Replica, Replica]

interface Raced {
  id: string
  caller: Caller
  noticeToken: string
  ticket: string
}

interface Scenario {
  random: SeededRandom
  /** Every final status that a client saw, by task. */
  reported: Map<string, Set<string>>
  /** Number of acknowledged deletions by task. */
  deletions: Map<string, number>
  counts: Record<string, number>
}

async function makeRaced(
  number: number,
  { replicas, tenants }: { replicas: Replicas; tenants: readonly Tenant[] },
): Promise<Raced> {
  const { tools } = replicas[number % 2] ?? replicas[0]
  const tenant = tenants[number % tenants.length] ?? expect.fail('no tenant')
  const ticket = String(number)
  const noticeToken = makeNoticeToken(SECRETS, 'org_1')
  const wanted = { tenant, provider: PROVIDER, noticeToken }
  const callback = number % 4 === 0 ? {} : { callbackUrl: 'https://client.example/done' }
  const task = await patiently(() => beginTask({ ...wanted, ...callback }, tools))
  await patiently(() => acceptTask(task, ticket, tools))
  const { organizationId, userId, keyId } = tenant
  const caller = {
    keyId,
    organizationId,
    userId,
    keyRequestsPerMinute: null,
    organizationRequestsPerMinute: null,
    keepReplies: null,
    allowedModels: null,
    hasBudget: false,
  }
  return { id: task.id, caller, noticeToken, ticket }
}

/** All clients ask at the same time, in random order, while both replicas sweep. */
async function raceOnce(raced: readonly Raced[], replicas: Replicas, scenario: Scenario): Promise<void> {
  const { random } = scenario
  const questions = raced.flatMap((task) =>
    replicas.flatMap((replica) => [
      () => askGet(task, replica, scenario),
      () => askNotice(task, replica, scenario),
      ...(random.next() < DELETE_SHARE ? [() => askDelete(task, replica, scenario)] : []),
    ]),
  )
  shuffle(questions, random)
  await Promise.all([
    ...questions.map((ask) => ask()),
    ...replicas.map(async ({ sweep }) => {
      await patiently(() => sweep.pass())
      await sweep.idle()
    }),
  ])
  for (const { notices } of replicas) await notices.idle()
}

const DELETE_SHARE = 0.15

async function askGet({ id, caller }: Raced, { get }: Replica, scenario: Scenario): Promise<void> {
  const view = await unlessRefused('get', () => get({ id, caller }), scenario)
  if (view === undefined || !ENDS.has(view.status)) return
  scenario.reported.set(id, (scenario.reported.get(id) ?? new Set()).add(view.status))
}

async function askNotice(
  { noticeToken, ticket }: Raced,
  { notices }: Replica,
  scenario: Scenario,
): Promise<void> {
  count('notice', scenario)
  notices.take({ token: noticeToken, ticket })
}

async function askDelete({ id, caller }: Raced, replica: Replica, scenario: Scenario): Promise<void> {
  const deletion = await unlessRefused(
    'delete',
    async () => {
      await replica.delete({ id, caller })
      return 'deleted'
    },
    scenario,
  )
  if (deletion !== undefined) scenario.deletions.set(id, (scenario.deletions.get(id) ?? 0) + 1)
}

const ENDS: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled'])
const FAIR_REFUSALS: ReadonlySet<string> = new Set([
  'task_not_found',
  'task_not_deletable',
  'provider_unavailable',
  // On a busy machine some callers get no connection in time: these were certainly not served.
  'store_unavailable',
])

async function unlessRefused<Answer>(
  name: string,
  ask: () => Promise<Answer>,
  scenario: Scenario,
): Promise<Answer | undefined> {
  try {
    const answer = await ask()
    count(name, scenario)
    return answer
  } catch (error) {
    if (!(error instanceof ApiError) || !FAIR_REFUSALS.has(error.code)) throw error
    count(`${name} ${error.code}`, scenario)
    return undefined
  }
}

function count(name: string, { counts }: Scenario): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function shuffle<Item>(items: Item[], random: SeededRandom): void {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last)
    const [one, two] = [items[last], items[other]]
    if (one === undefined || two === undefined) return
    items[last] = two
    items[other] = one
  }
}

interface Row {
  id: string
  status: string
  isDeleted: boolean
  owes: boolean
  callbacks: number
  holdStates: string
  settlements: number
  /** Charged amount, and the amount that could not be charged. */
  paidMicros: number
  lossMicros: number
  encryptedContent: string | null
}

/** Whether every reader got the same end, and the task has one settlement or release and each owed callback once. */
function isSound(row: Row, scenario: Scenario): boolean {
  const { tellings, deleted } = toldOf(row, scenario)
  return (
    ENDS.has(row.status) &&
    tellings.every((status) => status === row.status) &&
    row.holdStates === (row.status === 'succeeded' ? 'settled' : 'released') &&
    row.settlements === (row.status === 'succeeded' ? 1 : 0) &&
    row.paidMicros === costOf(row) &&
    row.lossMicros === 0 &&
    row.callbacks === (row.owes ? 1 : 0) &&
    (deleted === 0 || row.isDeleted)
  )
}

/** Cost in micro-USD of the video that its owner sees. */
function costOf({ id, status, encryptedContent }: Row): number {
  if (status !== 'succeeded') return 0
  const content = SECRETS.decrypt(encryptedContent ?? '', `content:${id}`) ?? expect.fail('no content')
  return SECOND_MICROS * secondsOf(JSON.parse(content).video_url)
}

function toldOf({ id }: Row, { reported, deletions }: Scenario): { tellings: string[]; deleted: number } {
  return { tellings: [...(reported.get(id) ?? [])], deleted: deletions.get(id) ?? 0 }
}

async function countOpen(): Promise<number> {
  const { rows } = await operator.query(
    `select count(*)::int as open from video_tasks where status not in ('succeeded', 'failed', 'cancelled')`,
  )
  return rows[0]?.open
}

async function readRows(): Promise<Row[]> {
  const { rows } = await operator.query(`
      select t.id, t.status, t.deleted_at_ms is not null as "isDeleted", t.owes_callback as owes,
        (select count(*) from video_callbacks c where c.task_id = t.id)::int as callbacks,
        (select string_agg(h.state, ' ') from holds h where h.task_id = t.id) as "holdStates",
        (select count(*) from holds h join ledger_entries e on e.hold_id = h.id
          where h.task_id = t.id and e.kind = 'settlement')::int as settlements,
        (select coalesce(sum(-e.amount_micros), 0) from holds h join ledger_entries e on e.hold_id = h.id
          where h.task_id = t.id)::int as "paidMicros",
        (select coalesce(sum(e.loss_micros), 0) from holds h join ledger_entries e on e.hold_id = h.id
          where h.task_id = t.id)::int as "lossMicros",
        t.sealed_content as "encryptedContent"
      from video_tasks t`)
  return rows
}
