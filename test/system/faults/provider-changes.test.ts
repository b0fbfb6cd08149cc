import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { isWholeRun, reportFigure, roundsOf } from '../../random/fault-run.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { startGateway } from './harness/gateway-process.ts'
import { NO_PROVIDERS } from './harness/no-providers.ts'
import { openStream, terminalOf } from './text-stream.ts'
import { expectPriced } from './text-world.ts'
import { postgresBooks } from './video-books.ts'

const CHANGES = roundsOf({ slice: 4, whole: 50 })
const rate = isWholeRun() ? 200 : 20
const ADMIN_KEY = 'an-admin-key-of-the-tests'

/** Two vendors, two replicas on PostgreSQL and Redis, and no provider but the one in the store. */
async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-changes-'))
  const [database, redis] = await Promise.all([databaseWithTables(), freshRedis()])
  const sandboxes = await Promise.all(
    [1, 2].map(() => startSandbox({ port: 0, speed: 600, nowMs: Date.now })),
  )
  const books = await postgresBooks(database.url)
  const env = {
    ...books.env,
    ...{ DATABASE_URL: database.url, REDIS_URL: redis.url, SLUICE_CONFIG: NO_PROVIDERS },
    ...{ ADMIN_API_KEY: ADMIN_KEY, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'error' },
  }
  const vendors = sandboxes.map(({ url }) => url)
  const provider = {
    ...{
      name: 'vendorD',
      driver: 'text',
      base_url: `${vendors[0]}/text`,
      api_key: 'sk-the-first-key-of-all',
    },
    models: { 'text-large': 'messages' },
  }
  const file = join(folder, 'provider.json')
  writeFileSync(file, JSON.stringify(provider))
  await runSluice(['provider', 'add', file], env)
  const replicas = [await startGateway({ env }), await startGateway({ env })]
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()))
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    await Promise.all([database.drop(), redis.close()])
    rmSync(folder, { recursive: true })
  })
  return { books, env, vendors, replicas }
}

test(`${CHANGES} changes of a provider and a price at ${rate} requests a second on two replicas: no request fails, and each is charged exactly`, {
  timeout: 1_800_000,
}, async () => {
  const { books, env, vendors, replicas } = await openWorld()
  const load = startLoad({ baseUrls: replicas.map(({ baseUrl }) => baseUrl), key: books.tenant.key })
  const beganMs = performance.now()
  for (let change = 1; change <= CHANGES; change += 1) {
    const body = { base_url: `${vendors[change % 2]}/text`, api_key: `sk-key-number-${change}-of-the-vendor` }
    const patch = (path: string, changes: object) =>
      fetch(`${replicas[change % 2]?.baseUrl}/admin/v1/${path}`, {
        method: 'PATCH',
        headers: { 'x-admin-key': ADMIN_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(changes),
      })
    expect((await patch('providers/vendorD', body)).status).toBe(200)
    const prices = pricesTimes(multipleAfter(change))
    expect((await patch('models/vendorD%2Ftext-large', { prices })).status).toBe(200)
    await delay(400)
  }
  // A change is in force everywhere within five seconds.
  await delay(5_000)
  const last = vendors[CHANGES % 2] ?? ''
  const other = vendors[(CHANGES + 1) % 2] ?? ''
  const [before, seen, settledMs] = [await countAt(other), load.answered.whole, Date.now() + 2_000]
  await expect.poll(() => load.answered.whole).toBeGreaterThan(seen + 4 * rate)
  expect(await countAt(other)).toBe(before)
  expect(await countAt(last)).toBeGreaterThan(0)
  expect(before).toBeGreaterThan(0)
  const seconds = (performance.now() - beganMs) / 1_000
  const { answered, failed } = await load.stop()
  expect(failed).toEqual([])
  const rows = async () => Number((await books.rows('select count(*) as rows from text_usage'))[0]?.rows)
  await expect.poll(rows, { timeout: 60_000, interval: 200 }).toBe(answered.whole + answered.streams)
  await expect
    .poll(() => expectPriced({ books }, [1, 2]).then(() => true), { timeout: 60_000, interval: 500 })
    .toBe(true)
  const late = await books.rows(`select price_lines from text_usage where created_at_ms > ${settledMs}`)
  expect(late.length).toBeGreaterThan(0)
  const outputs = late.flatMap(({ price_lines: lines }) =>
    (JSON.parse(String(lines)) as { unit: string; price_micros: number }[])
      .filter(({ unit }) => unit === 'output_token')
      .map((line) => line.price_micros),
  )
  expect(new Set(outputs)).toEqual(new Set([15_000_000 * multipleAfter(CHANGES)]))
  expect(await runSluice(['ledger', 'check'], env)).toMatchObject({ ok: true, violations: [] })
  reportFigure(
    `${CHANGES} changes of a provider and a price in ${Math.round(seconds)} s: ${answered.whole} requests (${Math.round(answered.whole / seconds)} a second) and ${answered.streams} streams answered, 0 failed, each charged exactly`,
  )
})

const PRICES = { input_token: 3, cached_input_token: 0.3, cache_write_token: 3.75, output_token: 15 }

/** Each change doubles the prices, or takes that back. */
function multipleAfter(change: number): number {
  return 1 + (change % 2)
}

function pricesTimes(multiple: number): object[] {
  return Object.entries(PRICES).map(([unit, usd]) => ({ unit, usd_per_million: usd * multiple }))
}

async function countAt(vendor: string): Promise<number> {
  const { finished, open } = Object(await (await fetch(`${vendor}/_sandbox/text`)).json())
  return Number(finished) + Number(open)
}

/** Requests at a fixed rate to the replicas in turn, and a few streams that are opened again when they end. */
function startLoad({ baseUrls, key }: { baseUrls: readonly string[]; key: string }) {
  const answered = { whole: 0, streams: 0 }
  const failed: string[] = []
  const running = new Set<Promise<void>>()
  let [isOver, turn] = [false, 0]
  const ask = async (kind: keyof typeof answered) => {
    const stream = kind === 'streams'
    const content = stream ? '[count 20] [pace 20]' : 'a question'
    const body = {
      model: 'vendorD/text-large',
      max_tokens: 200,
      messages: [{ role: 'user', content }],
      stream,
    }
    const end = await openStream(`${baseUrls[turn++ % baseUrls.length]}/v1/messages`, { key, body }).ended
    const isWhole = end.status === 200 && !end.isBroken && (!stream || terminalOf(end) === 'completed')
    if (isWhole) answered[kind] += 1
    else failed.push(`${kind}: ${end.status} ${end.text.slice(-300)}`)
  }
  const begin = (work: Promise<void>) => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const timer = setInterval(() => begin(ask('whole')), 1_000 / rate)
  const keepStream = async () => {
    while (!isOver) await ask('streams')
  }
  for (let stream = 0; stream < 4; stream += 1) begin(keepStream())
  return {
    answered,
    async stop() {
      isOver = true
      clearInterval(timer)
      await Promise.all(running)
      return { answered, failed }
    },
  }
}
