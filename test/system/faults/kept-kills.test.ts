import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { countText } from '@sluice/dialects/count/count-text'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Tenant } from '../../api/video/tenants.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { type End, type KeptClient, type Kind, openKeptClient } from './kept-client.ts'
import { type SearchPlaces, searchFiles, searchPostgres, searchRedis } from './kept-places.ts'
import { textProvidersAt } from './text-world.ts'
import { type Books, CREDIT_MICROS, openPostgresBooks, openSqliteBooks } from './video-books.ts'

/** Number of kills in each deployment. */
const MOMENTS = roundsOf({ slice: 5, whole: 100 })
const IS_SLICE = MOMENTS <= 5
const CLIENTS = 3
/** The replies take about 400 to 1,300 ms. */
const WORDS = 40
const MOMENT_MS_MAX = 1_500

const CANARY = `canary${randomBytes(9).toString('hex')}`
const SAID = `${CANARY} ${'river '.repeat(WORDS)}${CANARY}`
const REPLY = `You said: ${SAID}`
/** Cost of the whole reply with either model in micro-USD: 75 tokens of input, and 75 of output. */
const WHOLE_MICROS = 75 * 2 + 75 * 8
/**
 * Maximum cost of a cut reply that its vendor has not counted. Our count of the input depends on the letters of the
 * canary and can exceed the vendor's, with a few tokens around the message.
 */
const OWN_MICROS_MAX = Math.max(WHOLE_MICROS, (countText(`[pace 30] ${SAID}`) + 8) * 2 + 75 * 8)
const MODELS = ['vendorC/model-4.1', 'vendorC/model-o3'] as const

/** A deployment under attack. */
interface Deployment {
  books: Books
  replicas: readonly [GatewayProcess, ...GatewayProcess[]]
  /** Ends the leases of the organization's replies and claims. */
  endLeases(tenant: Tenant): Promise<void>
  search: SearchPlaces
}

const DEPLOYMENTS = {
  'one replica on the embedded store': openEmbedded,
  'two replicas on PostgreSQL and Redis': openReplicated,
}

async function openEmbedded(): Promise<Deployment> {
  const books = await openSqliteBooks({ tenants: MOMENTS * CLIENTS })
  onTestFinished(() => books.close())
  const dataDir = String(books.env.DATA_DIR)
  return {
    books,
    replicas: [await openReplica(books.env)],
    async endLeases(tenant) {
      using database = new DatabaseSync(join(dataDir, 'sluice.db'), { timeout: 10_000 })
      database.prepare('delete from kept_values where key like ?').run(leasesOf(tenant).replace('*', '%'))
      database.exec(claimsOver(tenant))
    },
    search: searchFiles(dataDir),
  }
}

async function openReplicated(): Promise<Deployment> {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const books = await openPostgresBooks({ tenants: MOMENTS * CLIENTS })
  onTestFinished(() => books.close())
  const env = { ...books.env, REDIS_URL: redis.url }
  const searches = [searchPostgres(books), searchRedis(redis.url)]
  return {
    books,
    replicas: [await openReplica(env), await openReplica(env)],
    async endLeases(tenant) {
      const client = createClient({ url: redis.url })
      await client.connect()
      for (const key of await client.keys(leasesOf(tenant))) await client.del(key)
      await client.close()
      await books.rows(claimsOver(tenant))
    },
    search: async (word) => (await Promise.all(searches.map((search) => search(word)))).flat(),
  }
}

let configFile = ''

async function openReplica(env: Record<string, string>): Promise<GatewayProcess> {
  const gateway = await startGateway({ env: { ...env, SLUICE_CONFIG: configFile, LOG_LEVEL: 'info' } })
  onTestFinished(async () => void (await gateway.stop()))
  return gateway
}

async function openVendor(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sandbox = await startSandbox({ port: 0, speed: 1, nowMs: systemClock.nowMs })
  onTestFinished(() => sandbox.close())
  configFile = join(folder, 'sluice.yaml')
  writeFileSync(configFile, `providers:\n${textProvidersAt(`${sandbox.url}/text`)}`)
}

/** History of one reply. */
interface Scenario {
  client: KeptClient
  act: 'kill' | 'cut'
  ended: Promise<End>
}

function openClients(
  place: number,
  urls: readonly [string, ...string[]],
  { books }: Deployment,
  random: SeededRandom,
): KeptClient[] {
  const kinds: Kind[] = ['background-stream', 'background', random.pick(['stream', 'socket'])]
  return kinds.map((kind, at) => {
    const tenant = books.tenants[place * CLIENTS + at] ?? books.tenant
    const asked = { model: random.pick(MODELS), input: `[pace ${random.integer(10, 30)}] ${SAID}` }
    return openKeptClient({ kind, tenant, urls, asked, reply: REPLY })
  })
}

/** The replica that serves, then the others. */
function urlsFrom({ replicas }: Deployment, victim: GatewayProcess): [string, ...string[]] {
  const others = replicas.filter((replica) => replica !== victim)
  return [victim.baseUrl, ...others.map(({ baseUrl }) => baseUrl)]
}

test.each(Object.entries(DEPLOYMENTS))(
  `${MOMENTS} times kill -9 or a cut connection during kept replies, %s: read whole or clearly failed, charged once, and no word of them found`,
  { timeout: 60_000 + MOMENTS * 20_000 },
  async (name, open) => {
    const random = seededRandom(seedOfRun())
    await openVendor()
    const deployment = await open()
    const { books, replicas, endLeases, search } = deployment
    const scenarios: Scenario[] = []
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const act = random.pick(['kill', 'cut'] as const)
      const victim = random.pick(replicas)
      const clients = openClients(moment, urlsFrom(deployment, victim), deployment, random)
      await delay(random.integer(0, MOMENT_MS_MAX))
      if (act === 'cut') for (const client of clients) client.cut()
      else {
        expect(await victim.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
        if (IS_SLICE) for (const { tenant } of clients) await endLeases(tenant)
      }
      const begun = clients.map((client): Scenario => ({ client, act, ended: client.end() }))
      scenarios.push(...begun)
      if (act === 'kill') await victim.restart()
      // Requests of a killed process wait for its leases, while the next moment is tried.
      else await Promise.all(begun.map(({ ended }) => ended))
    }
    const ends = await Promise.all(
      scenarios.map(async (scenario) => ({ ...scenario, end: await scenario.ended })),
    )
    // A client that left before its request arrived has no usage row.
    const cuts = ends.filter(({ act, end }) => act === 'cut' && end !== 'unnamed')
    await expect
      .poll(async () => {
        const paid = await paidBy(books)
        return cuts.filter(({ client }) => !paid.has(client.tenant.organizationId)).length
      })
      .toBe(0)
    const paid = await paidBy(books)
    const counts: Record<string, number> = {}
    const wrong: string[] = []
    for (const { client, act, end } of ends) {
      const rows = paid.get(client.tenant.organizationId) ?? []
      const outcome = `${act}, ${client.kind}: ${end}, ${paymentOf(rows)}`
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (!isFair({ client, act, end }, rows)) wrong.push(`${outcome} (${rows} micros, ${client.id})`)
    }
    reportFigure(
      `${name}, ${MOMENTS} moments, ${ends.length} replies, seed ${seedOfRun()}: ${JSON.stringify(counts)}`,
    )
    expect(wrong).toEqual([])
    await expectBalances(books, paid)
    expect(await search(CANARY)).toEqual([])
    // The search does find what is readable.
    expect(await search(books.tenant.organizationId)).not.toEqual([])
    for (const replica of replicas) expect(replica.output()).not.toContain(CANARY)
    expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  },
)

function paymentOf(rows: readonly number[]): string {
  if (rows.length > 1) return 'paid more than once'
  const [cost = 0] = rows
  if (cost === 0) return 'free'
  return cost === WHOLE_MICROS ? 'paid whole' : 'paid in part'
}

/** The usage row decides: a whole reply is charged, and one that a kill made fail is free. */
function isFair(
  { client, act, end }: Omit<Scenario, 'ended'> & { end: End },
  rows: readonly number[],
): boolean {
  const [cost = 0] = rows
  const isCounted = act === 'kill' || end === 'whole'
  if (rows.length > 1 || cost > (isCounted ? WHOLE_MICROS : OWN_MICROS_MAX)) return false
  // A connection that is cut takes nothing of a background reply.
  if (act === 'cut' && client.kind.startsWith('background')) return end === 'whole' && cost === WHOLE_MICROS
  if (end === 'whole') return cost === WHOLE_MICROS
  return act === 'cut' || end !== 'failed' || cost === 0
}

function leasesOf({ organizationId }: Tenant): string {
  return `sluice:{org:${organizationId}}:response:*:lease`
}

function claimsOver({ keyId }: Tenant): string {
  return `update request_claims set lease_until_ms = 1 where api_key_id = '${keyId}'`
}

/** The costs of each organization's rows. */
async function paidBy({ rows }: Books): Promise<Map<string, number[]>> {
  const paid = new Map<string, number[]>()
  for (const row of await rows('select organization_id, cost_micros from text_usage')) {
    const organizationId = String(row.organization_id)
    paid.set(organizationId, [...(paid.get(organizationId) ?? []), Number(row.cost_micros)])
  }
  return paid
}

async function expectBalances({ rows }: Books, paid: ReadonlyMap<string, number[]>): Promise<void> {
  for (const { id, balance_micros: balance } of await rows('select id, balance_micros from organizations')) {
    const cost = (paid.get(String(id)) ?? []).reduce((sum, each) => sum + each, 0)
    expect([id, CREDIT_MICROS - Number(balance)]).toEqual([id, cost])
  }
}
