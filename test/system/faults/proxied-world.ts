import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { expect, onTestFinished } from 'vitest'
import type { SeededRandom } from '../../random/seeded-random.ts'
import { databaseWithTables } from '../../servers/fresh-database.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'
import type { FaultMode } from './harness/fault-mode.ts'
import { type FaultProxy, startFaultProxy } from './harness/fault-proxy.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { openStream, terminalOf } from './text-stream.ts'
import { textProvidersAt } from './text-world.ts'
import { type Books, postgresBooks } from './video-books.ts'
import { openOrderClient } from './video-client.ts'
import { openCountingVendors } from './video-vendors.ts'

export const PROXIED_PARTS = ['store', 'cache', 'vendors'] as const

/** Replicas that reach one PostgreSQL, one Redis and one sandbox through fault proxies. */
export interface ProxiedWorld {
  replicas: GatewayProcess[]
  books: Books
  proxies: Record<(typeof PROXIED_PARTS)[number], FaultProxy>
  /** The vendors to which each order was sent, by the order's name. */
  sent: ReadonlyMap<string, readonly string[]>
  openTasks(): Promise<number>
  /** Deletes everything in Redis. */
  flushCache(): Promise<void>
}

type DrawFault = (random: SeededRandom) => FaultMode

/** Bytes are counted from the moment of the fault, so that a cut falls anywhere in a message. */
export const CONNECTION_FAULTS: readonly [DrawFault, ...DrawFault[]] = [
  () => ({ kind: 'delay', delayMs: 300 }),
  () => ({ kind: 'drip', bytes: 48, everyMs: 5 }),
  () => ({ kind: 'hang' }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'refuse' }),
  (random) => ({ kind: 'cut-after', direction: 'to-client', bytes: random.integer(1, 3_000) }),
  (random) => ({ kind: 'cut-after', direction: 'to-target', bytes: random.integer(1, 3_000) }),
  (random) => ({ kind: 'half-close', direction: 'to-client', bytes: random.integer(1, 3_000) }),
]

export async function openProxiedWorld({
  replicas: count,
  env = {},
}: {
  replicas: number
  env?: Record<string, string>
}): Promise<ProxiedWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxied-'))
  const [database, redis] = await Promise.all([databaseWithTables(), freshRedis()])
  let sandboxUrl = ''
  const vendors = await openCountingVendors({
    folder,
    speed: 600,
    moreProviders: (url) => {
      sandboxUrl = url
      return textProvidersAt(`${url}/text`)
    },
  })
  const [store, storeUrl] = await behindProxy(database.url)
  const [cache, cacheUrl] = await behindProxy(redis.url)
  const [upstream, upstreamUrl] = await behindProxy(sandboxUrl)
  const config = readFileSync(vendors.configFile, 'utf8')
  writeFileSync(vendors.configFile, config.replaceAll(sandboxUrl, upstreamUrl.replace(/\/$/, '')))
  const proxies = { store, cache, vendors: upstream }
  const books = await postgresBooks(database.url)
  const replicas: GatewayProcess[] = []
  onTestFinished(async () => {
    for (const proxy of Object.values(proxies)) await proxy.setMode({ kind: 'pass' })
    await Promise.all(replicas.map((replica) => replica.stop()))
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()))
    await Promise.all([vendors.close(), database.drop(), redis.close()])
    rmSync(folder, { recursive: true })
  })
  while (replicas.length < count)
    replicas.push(
      await startGateway({
        env: {
          ...books.env,
          DATABASE_URL: storeUrl,
          REDIS_URL: cacheUrl,
          SLUICE_CONFIG: vendors.configFile,
          VIDEO_SWEEP_INTERVAL_MS: '200',
          SUBMITTING_RESOLVE_SECONDS: '5',
          LOG_LEVEL: 'error',
          ...env,
        },
      }),
    )
  const ends = `'succeeded', 'failed', 'cancelled'`
  const openTasks = async () =>
    (await books.rows(`select id from video_tasks where status not in (${ends})`)).length
  const flushCache = async () => {
    const client = createClient({ url: redis.url })
    await client.connect()
    await client.flushDb()
    await client.close()
  }
  return { replicas, books, proxies, sent: vendors.sent, openTasks, flushCache }
}

async function behindProxy(url: string): Promise<[FaultProxy, string]> {
  const changed = new URL(url)
  const proxy = await startFaultProxy({ port: Number(changed.port) })
  changed.port = String(proxy.port)
  return [proxy, changed.href]
}

export interface ClientCounts {
  text: number
  refused: number
  broken: number
  videos: number
  videosRefused: number
}

const STATUSES = [200, 429, 502, 503, 504]

/** Text and video clients that run until they are stopped; every answer must come from the gateway. */
export function startClients({
  baseUrls,
  key,
  lanes,
  name,
}: {
  /** Asked in turn. */
  baseUrls: readonly string[]
  key: string
  lanes: number
  /** Part of the names of its orders. */
  name: string
}): { seen: ClientCounts; running: Promise<unknown>; stop(): void } {
  const seen: ClientCounts = { text: 0, refused: 0, broken: 0, videos: 0, videosRefused: 0 }
  let isOver = false
  const baseUrlOf = (turn: number) => baseUrls[turn % baseUrls.length] ?? ''

  async function askForText(lane: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const isStream = number % 2 === 0
      const body = {
        model: 'vendorD/text-large',
        max_tokens: 200,
        messages: [{ role: 'user', content: `[count ${5 + (number % 20)}] [pace 2]` }],
        ...(isStream && { stream: true }),
      }
      const end = await openStream(`${baseUrlOf(lane)}/v1/messages`, { key, body }).ended
      // The status is 0 when the replica is down.
      if (end.status === 0) seen.broken += 1
      else if (end.status !== 200) {
        expect(STATUSES).toContain(end.status)
        expect(JSON.parse(end.text)).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
        seen.refused += 1
      } else if (isStream ? terminalOf(end) === 'completed' : !end.isBroken) seen.text += 1
      else seen.broken += 1
      await delay(5)
    }
  }

  async function orderVideos(lane: number): Promise<void> {
    const client = openOrderClient({ baseUrl: baseUrlOf(lane), key })
    for (let number = 0; !isOver; number += 1) {
      const order = `order-${name}.${lane}.${number}`
      const body = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: `${order} [instant]` }] }
      const answer = await client.create({ name: order, body }).catch(() => undefined)
      if (answer !== undefined) expect([...STATUSES, 409]).toContain(answer.status)
      if (answer?.status === 200) seen.videos += 1
      else seen.videosRefused += 1
      await delay(20)
    }
  }

  const running = Promise.all([
    ...Array.from({ length: lanes }, (_, lane) => askForText(lane)),
    ...Array.from({ length: 2 }, (_, lane) => orderVideos(lane)),
  ])
  // The caller handles a failure; until then it must not count as unhandled.
  running.catch(() => {})
  return {
    seen,
    running,
    stop() {
      isOver = true
    },
  }
}
