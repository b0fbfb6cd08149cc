import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createClient } from '@redis/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRedisCache } from '../../../src/adapters/redis/redis-cache.ts'
import type { Cache } from '../../../src/ports/cache.ts'
import type { PoolState } from '../../../src/ports/metrics.ts'
import { startRedis } from '../../servers/redis-server.ts'
import type { TestServer } from '../../servers/test-server.ts'
import { createLogBook, type LogBook } from './log-book.ts'

const LONG = { ttlMs: 60_000 }

let server: TestServer
let log: LogBook
const caches: Cache[] = []

beforeEach(async () => {
  server = await startRedis()
  log = createLogBook()
})
afterEach(async () => {
  for (const cache of caches.splice(0)) await cache.close()
  await server.remove()
})

async function open(): Promise<Cache> {
  const cache = await openRedisCache({ url: server.url, log })
  caches.push(cache)
  return cache
}

async function answersAgain(cache: Cache): Promise<void> {
  await expect.poll(() => cache.ping()).toBeUndefined()
}

/** Publishes until it is heard: a subscription renews itself a moment after the commands work again. */
async function hears(cache: Cache, received: string[], message: string): Promise<void> {
  await expect
    .poll(async () => {
      await cache.publish('news', message)
      return received
    })
    .toContain(message)
}

test.each(['stop', 'crash'] as const)(
  'after a %s commands reject, then work again, and subscriptions live on',
  async (end) => {
    const cache = await open()
    const received: string[] = []
    await cache.subscribe('news', (message) => received.push(message))
    await cache.set('name', 'value', LONG)
    await server[end]()
    await expect(cache.get('name')).rejects.toThrow()
    await expect(cache.set('name', 'value', LONG)).rejects.toThrow()
    await expect(cache.publish('news', 'lost')).rejects.toThrow()
    await server.start()
    await answersAgain(cache)
    expect(await cache.get('name')).toBeUndefined()
    await cache.set('name', 'new', LONG)
    expect(await cache.get('name')).toBe('new')
    await hears(cache, received, 'after')
    expect(received).not.toContain('lost')
  },
)

test('the log has each loss and each return once per connection, not each attempt', async () => {
  const cache = await open()
  await server.crash()
  await expect(cache.ping()).rejects.toThrow()
  await expect.poll(() => log.events).toEqual(['redis.unreachable', 'redis.unreachable'])
  await server.start()
  await expect.poll(() => log.events.slice(2)).toEqual(['redis.reachable', 'redis.reachable'])
})

test('opening does not fail while Redis is unreachable, and a subscription made then works later', async () => {
  await server.stop()
  const cache = await open()
  await expect(cache.ping()).rejects.toThrow()
  const received: string[] = []
  const end = await cache.subscribe('news', (message) => received.push(message))
  const endEarly = await cache.subscribe('news', () => received.push('never'))
  await endEarly()
  await server.start()
  await answersAgain(cache)
  await hears(cache, received, 'first')
  expect(received).not.toContain('never')
  await end()
})

test('a Redis that accepts and never answers is given up after a limit', async () => {
  const cache = await open()
  const received: string[] = []
  await cache.subscribe('news', (message) => received.push(message))
  signal('SIGSTOP')
  try {
    await expect(cache.ping()).rejects.toThrow()
    await expect(cache.get('name')).rejects.toThrow()
    const late = await open()
    await expect(late.ping()).rejects.toThrow()
  } finally {
    signal('SIGCONT')
  }
  await answersAgain(cache)
  await hears(cache, received, 'after')
})

test('a subscription that Redis refused is repeated without a reconnect, unless it has ended', async () => {
  const cache = await open()
  await command('ACL', 'SETUSER', 'default', 'resetchannels')
  const received: string[] = []
  await cache.subscribe('news', (message) => received.push(message))
  const end = await cache.subscribe('ended', () => {})
  await end()
  await command('ACL', 'SETUSER', 'default', 'allchannels')
  await hears(cache, received, 'allowed')
  expect(await command('PUBSUB', 'CHANNELS')).toEqual(['news'])
}, 8_000)

test('a connection that dies silently is replaced, even under load', async () => {
  const proxy = await startProxy(Number(new URL(server.url).port))
  const cache = await openRedisCache({ url: proxy.url, log })
  caches.push(cache)
  const received: string[] = []
  await cache.subscribe('news', (message) => received.push(message))
  await cache.ping()
  proxy.muteOpenConnections()
  await expect(cache.ping()).rejects.toThrow()
  await answersAgain(cache)
  await hears(cache, received, 'after')
  await cache.close()
  await proxy.close()
})

test('closing does not wait for a Redis that is unreachable or silent', async () => {
  const [away, silent] = [await open(), await open()]
  signal('SIGSTOP')
  try {
    const unanswered = expect(silent.ping()).rejects.toThrow()
    await silent.close()
    await unanswered
  } finally {
    signal('SIGCONT')
  }
  await server.crash()
  await away.close()
})

test('the metrics can see both connections come and go', async () => {
  const pools: [string, () => PoolState][] = []
  const watchPool = (name: string, read: () => PoolState) => {
    pools.push([name, read])
  }
  caches.push(await openRedisCache({ url: server.url, log, metrics: { watchPool } }))
  const read = pools[0]?.[1]
  expect(pools.map(([name]) => name)).toEqual(['redis'])
  await expect.poll(() => read?.()).toEqual({ busy: 0, idle: 2, waiting: 0 })
  await server.crash()
  await expect.poll(() => read?.()).toEqual({ busy: 0, idle: 0, waiting: 0 })
})

async function command(...words: string[]): Promise<unknown> {
  const admin = await createClient({ url: server.url }).connect()
  return admin.sendCommand(words).finally(() => admin.destroy())
}

/** Starts a proxy that forwards all bytes until `muteOpenConnections` drops those of the open connections. */
async function startProxy(redisPort: number) {
  const sockets: Socket[] = []
  const proxy = createServer((inner) => {
    const outer = connect(redisPort, '127.0.0.1')
    for (const socket of [inner, outer]) {
      socket.on('error', () => {})
      sockets.push(socket)
    }
    inner.on('close', () => outer.destroy())
    inner.pipe(outer).pipe(inner)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    muteOpenConnections: () => {
      for (const socket of sockets) socket.unpipe().resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  if (server.pid !== undefined) process.kill(server.pid, name)
}
