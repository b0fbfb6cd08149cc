import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { startRedis } from './redis-server.ts'
import type { TestServer } from './test-server.ts'

export interface FreshRedis {
  url: string
  close(): Promise<void>
}

/** Servers that a test of this process has given back. */
const idle: TestServer[] = []

/**
 * An empty Redis that no other test uses meanwhile: a server of its own, since topics reach across the logical databases
 * of one server. Where TEST_REDIS_URL names a server, a logical database of that server is lent instead.
 */
export async function freshRedis(): Promise<FreshRedis> {
  const sharedUrl = process.env.TEST_REDIS_URL
  if (sharedUrl) return borrowDatabase(sharedUrl)
  const server = idle.pop() ?? (await startRedis())
  return {
    url: server.url,
    async close() {
      await flush(server.url)
      idle.push(server)
    },
  }
}

/** Default number of databases of a Redis; number 0 keeps the claims. */
const DATABASES = 16
const CLAIM_LIFE_MS = 600_000
const BORROW_ATTEMPTS_MAX = 300
const BORROW_POLL_MS = 100

async function borrowDatabase(sharedUrl: string): Promise<FreshRedis> {
  const claims = createClient({ url: atDatabase(sharedUrl, 0) })
  await claims.connect()
  const number = await claimOne(async (candidate) => {
    const expiration = { type: 'PX', value: CLAIM_LIFE_MS } as const
    return (await claims.set(claimKey(candidate), 'taken', { condition: 'NX', expiration })) !== null
  })
  const url = atDatabase(sharedUrl, number)
  await flush(url)
  return {
    url,
    close: async () => {
      await flush(url)
      await claims.del(claimKey(number))
      await claims.close()
    },
  }
}

async function claimOne(claim: (candidate: number) => Promise<boolean>): Promise<number> {
  for (let attempt = 0; attempt < BORROW_ATTEMPTS_MAX; attempt += 1) {
    for (let candidate = 1; candidate < DATABASES; candidate += 1) {
      if (await claim(candidate)) return candidate
    }
    await wait(BORROW_POLL_MS)
  }
  throw new Error('Every logical database of TEST_REDIS_URL is in use by another test.')
}

async function flush(url: string): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  await client.flushDb()
  await client.close()
}

function claimKey(number: number): string {
  return `sluice-test:claim:${number}`
}

function atDatabase(url: string, number: number): string {
  const changed = new URL(url)
  changed.pathname = `/${number}`
  return changed.href
}
