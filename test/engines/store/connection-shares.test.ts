import { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPool } from '../../../src/adapters/postgres/open-store.ts'
import { type SharedPool, shareConnections } from '../../../src/adapters/postgres/share-connections.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { createTimeBook } from '../../../src/app/waiting/time-book.ts'
import { type FreshDatabase, freshDatabase } from '../../servers/fresh-database.ts'
import { SILENT_LOG } from './silent-log.ts'

let database: FreshDatabase
let pool: SharedPool
let holder: string
let served: string[]

beforeEach(async () => {
  database = await freshDatabase()
  served = []
  pool = openPool({ url: database.url, log: SILENT_LOG, maxConnections: 2, holder: () => holder })
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

async function ask(name: string, statement = 'select 1'): Promise<void> {
  holder = name
  const client = await pool.connect()
  served.push(name)
  await client.query(statement, []).finally(() => client.release())
}

test('an organization with one request waits for one turn, and not for all requests of another', async () => {
  const greedy = Array.from({ length: 40 }, () => ask('greedy'))
  const modest = ask('modest')
  expect(pool.counts.waiting).toBe(39)
  await Promise.all([...greedy, modest])
  expect(served.indexOf('modest')).toBeLessThan(4)
  expect(served).toHaveLength(41)
})

/** A connection that opens after its request has waited too long is acquired and released by the pool itself. */
test('connections that come too late for their requests leave the turns unchanged', async () => {
  const bare = new Pool({ connectionString: database.url, max: 2 })
  pool = shareConnections(bare, { holder: () => holder, waitMs: 2_000 })
  for (let late = 0; late < 40; late += 1) (await bare.connect()).release()
  const greedy = Array.from({ length: 40 }, () => ask('greedy'))
  const modest = ask('modest')
  await Promise.all([...greedy, modest])
  expect(served.indexOf('modest')).toBeLessThan(4)
  expect(served).toHaveLength(41)
})

test('the time that a reply takes is booked to the organization that waits for it', async () => {
  const book = createTimeBook({ clock: systemClock })
  pool = openPool({ url: database.url, log: SILENT_LOG, maxConnections: 2, holder: () => holder, book })
  const rows = "select repeat('a', 1000) as text from generate_series(1, 20000)"
  await Promise.all([ask('greedy', rows), ask('modest')])
  book.begin('')
  expect(book.usedMs('greedy')).toBeGreaterThan(book.usedMs('modest'))
  expect(book.usedMs('modest')).toBeGreaterThan(0)
})

test('failing statements release their connections', async () => {
  const wrong = await Promise.allSettled(Array.from({ length: 10 }, () => ask('greedy', 'select from')))
  expect(wrong.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
  await ask('modest')
  expect(pool.counts).toEqual({ busy: 0, idle: 2, waiting: 0 })
})

test('connections that cannot be opened leave no slot in use', async () => {
  const lost = openPool({ url: 'postgres://nowhere@127.0.0.1:1/none', log: SILENT_LOG, maxConnections: 1 })
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => lost.connect()))
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(lost.counts).toEqual({ busy: 0, idle: 0, waiting: 0 })
  await lost.end()
})
