import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openCallbackReceiver } from '../../engines/video-work/open-receiver.ts'
import { roundsOf, tellFigure } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type SeededRandom, seededRandom } from '../../random/seeded-random.ts'
import { freshDatabase } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import type { FaultMode } from './harness/fault-mode.ts'
import { type FaultProxy, startFaultProxy } from './harness/fault-proxy.ts'
import { startGateway } from './harness/gateway-process.ts'
import { AUTHORITY_FILE } from './harness/tls-target.ts'
import { openStream, terminalOf } from './text-stream.ts'
import { textProvidersAt } from './text-world.ts'
import { type Books, postgresBooks } from './video-books.ts'
import { openOrderClient } from './video-client.ts'
import { openCountingVendors } from './video-vendors.ts'

/** None: each fault once, at one of the parts. */
const ROUNDS = roundsOf({ slice: 0, whole: 5 })
const PARTS = ['store', 'cache', 'vendors'] as const
const LANES = 4
const LASTS_MS_MAX = 2_500
const STATUSES = new Set([200, 429, 502, 503, 504])

/** Bytes are counted from the moment of the fault, so that it falls anywhere in what is being said. */
const FAULTS: readonly ((random: SeededRandom) => FaultMode)[] = [
  () => ({ kind: 'delay', delayMs: 300 }),
  () => ({ kind: 'drip', bytes: 48, everyMs: 5 }),
  () => ({ kind: 'hang' }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'refuse' }),
  (random) => ({ kind: 'cut-after', direction: 'to-client', bytes: random.integer(1, 3_000) }),
  (random) => ({ kind: 'cut-after', direction: 'to-target', bytes: random.integer(1, 3_000) }),
  (random) => ({ kind: 'half-close', direction: 'to-client', bytes: random.integer(1, 3_000) }),
]

const PLAN = [
  ...FAULTS.map((fault, place) => ({ part: PARTS[place % PARTS.length] ?? 'store', fault })),
  ...Array.from({ length: ROUNDS }).flatMap(() =>
    PARTS.flatMap((part) => FAULTS.map((fault) => ({ part, fault }))),
  ),
]

test(`${PLAN.length} faults of connections to ${PARTS.join(', ')}: answers with our envelope, back by itself, money exact`, {
  timeout: 1_800_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const { baseUrl, books, proxies, key, creates, env } = await openProxiedGateway()
  const client = openOrderClient({ baseUrl, key })
  const seen = { text: 0, refused: 0, broken: 0, videos: 0, videosRefused: 0, faults: 0 }
  let isOver = false
  const askForText = async (lane: number) => {
    for (let number = 0; !isOver; number += 1) {
      const isStream = (lane + number) % 2 === 0
      const body = {
        model: 'vendorD/text-large',
        max_tokens: 200,
        messages: [{ role: 'user', content: `[count ${5 + (number % 20)}] [pace 2]` }],
        ...(isStream && { stream: true }),
      }
      const end = await openStream(`${baseUrl}/v1/messages`, { key, body }).ended
      expect(STATUSES).toContain(end.status)
      if (end.status !== 200) {
        expect(JSON.parse(end.text)).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
        seen.refused += 1
      } else if (isStream ? terminalOf(end) === 'completed' : JSON.parse(end.text).stop_reason) seen.text += 1
      else {
        // A stream that has begun can only end with an error event.
        expect({ isBroken: end.isBroken, end: terminalOf(end) }).toEqual({ isBroken: false, end: 'failed' })
        seen.broken += 1
      }
      await delay(5)
    }
  }
  const orderVideos = async (lane: number) => {
    for (let number = 0; !isOver; number += 1) {
      const name = `order-faults.${lane}.${number}`
      const body = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: `${name} [instant]` }] }
      const { status } = await client.create({ name, body })
      expect([...STATUSES, 409]).toContain(status)
      if (status === 200) seen.videos += 1
      else seen.videosRefused += 1
      await delay(20)
    }
  }
  const clients = Promise.all([
    ...Array.from({ length: LANES }, (_, lane) => askForText(lane)),
    ...Array.from({ length: 2 }, (_, lane) => orderVideos(lane)),
  ])
  // A lane that fails ends the run at once, and not only when all faults are over.
  const faults = (async () => {
    for (const { part, fault } of PLAN) {
      await proxies[part].setMode(fault(random))
      await delay(random.integer(100, LASTS_MS_MAX))
      await proxies[part].setMode({ kind: 'pass' })
      seen.faults += 1
      const before = { ...seen }
      await expect
        .poll(() => seen.text > before.text + LANES && seen.videos > before.videos + 1, {
          timeout: 90_000,
          interval: 50,
        })
        .toBe(true)
    }
    isOver = true
  })()
  await Promise.race([clients, faults])
  await faults
  await clients
  // The lease of a task whose answer was lost takes a minute to lapse: only the whole run waits for it.
  if (ROUNDS > 0) await expect.poll(() => openTasks(books), { timeout: 120_000, interval: 300 }).toBe(0)
  expect([...creates.values()].filter((times) => times > 1)).toEqual([])
  const charged = `select id from text_usage where outcome = 'completed' and cost_micros > 0`
  await expect
    .poll(async () => (await books.rows(charged)).length, { timeout: 60_000, interval: 300 })
    .toBeGreaterThanOrEqual(seen.text)
  expect(await runSluice(['ledger', 'check'], env)).toMatchObject({ ok: true, violations: [] })
  tellFigure(
    `faults of connections: ${JSON.stringify(seen)}, 0 videos made twice, 0 statuses without envelope`,
  )
})

async function openTasks({ rows }: Books): Promise<number> {
  const ends = `'succeeded', 'failed', 'cancelled'`
  return (await rows(`select id from video_tasks where status not in (${ends})`)).length
}

/** PostgreSQL, Redis and the vendors, each behind a proxy of its own. */
async function openProxiedGateway() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-connection-faults-'))
  const [database, redis, receiver] = await Promise.all([
    freshDatabase(),
    freshRedis(),
    openCallbackReceiver(),
  ])
  let sandboxUrl = ''
  const vendors = await openCountingVendors({
    folder,
    speed: 600,
    moreProviders: (url) => {
      sandboxUrl = url
      return textProvidersAt(`${url}/text`)
    },
  })
  const behind = async (url: string): Promise<[FaultProxy, string]> => {
    const changed = new URL(url)
    const proxy = await startFaultProxy({ port: Number(changed.port) })
    changed.port = String(proxy.port)
    return [proxy, changed.href]
  }
  const [store, storeUrl] = await behind(database.url)
  const [cache, cacheUrl] = await behind(redis.url)
  const [upstream, upstreamUrl] = await behind(sandboxUrl)
  const config = readFileSync(vendors.configFile, 'utf8')
  writeFileSync(vendors.configFile, config.replaceAll(sandboxUrl, upstreamUrl.replace(/\/$/, '')))
  const books = await postgresBooks(database.url)
  const gateway = await startGateway({
    env: {
      ...books.env,
      DATABASE_URL: storeUrl,
      REDIS_URL: cacheUrl,
      SLUICE_CONFIG: vendors.configFile,
      VIDEO_SWEEP_INTERVAL_MS: '200',
      SUBMITTING_RESOLVE_SECONDS: '5',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE),
      LOG_LEVEL: 'error',
    },
  })
  const proxies = { store, cache, vendors: upstream }
  onTestFinished(async () => {
    await gateway.stop()
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()))
    await Promise.all([vendors.close(), receiver.close(), database.drop(), redis.close()])
    rmSync(folder, { recursive: true })
  })
  const { baseUrl } = gateway
  return { baseUrl, books, proxies, key: books.tenant.key, creates: vendors.creates, env: books.env }
}
