import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createClient } from '@redis/client'
import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseWithTables, freshDatabase } from './fresh-database.ts'
import { freshRedis } from './fresh-redis.ts'
import { startPostgres } from './postgres-server.ts'
import { startRedis } from './redis-server.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function command(url: string, words: string[]): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.sendCommand(words)
  } finally {
    client.destroy()
  }
}

describe("a PostgreSQL of a test's own", () => {
  test('keeps committed rows and its address after a crash', async () => {
    const server = await startPostgres()
    cleanUps.push(() => server.remove())
    const firstPid = server.pid
    await query(server.url, 'create table kept as select 7 as value')
    await server.crash()
    expect(server.pid).toBeUndefined()
    await expect(query(server.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.start()
    expect(server.pid).not.toBe(firstPid)
    expect(await query(server.url, 'select value from kept')).toEqual([{ value: 7 }])
    await server.stop()
    await server.start()
    expect(await query(server.url, 'select value from kept')).toEqual([{ value: 7 }])
  })
})

describe("a Redis of a test's own", () => {
  test('restarts empty at its address', async () => {
    const server = await startRedis()
    cleanUps.push(() => server.remove())
    await command(server.url, ['SET', 'name', 'value'])
    expect(await command(server.url, ['GET', 'name'])).toBe('value')
    await server.crash()
    await expect(command(server.url, ['GET', 'name'])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.start()
    expect(await command(server.url, ['GET', 'name'])).toBeNull()
  })

  test('ends with its owner, also when the owner is killed', async () => {
    const program = `
      import { startRedis } from './test/servers/redis-server.ts'
      const { url, pid } = await startRedis()
      console.log(JSON.stringify({ url, pid }))
      setInterval(() => {}, 1000)`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(owner.stdout, 'data')
    const { url, pid } = JSON.parse(String(line))
    const path = String(Object.values(Object(await command(url, ['CONFIG', 'GET', 'dir'])))[0])
    expect(existsSync(path)).toBe(true)
    owner.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => existsSync(path)).toBe(false)
  })
})

describe('servers that every test file may use', () => {
  test('databases that do not know each other', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
    cleanUps.push(one.drop, other.drop)
    await query(one.url, 'create table here (id int)')
    await expect(query(other.url, 'select * from here')).rejects.toMatchObject({ code: '42P01' })
    await one.drop()
    await expect(query(one.url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  })

  test('databases with tables that do not know each other', async () => {
    const [one, other] = await Promise.all([databaseWithTables(), databaseWithTables()])
    cleanUps.push(one.drop, other.drop)
    await query(one.url, 'alter table organizations rename to here')
    await query(other.url, 'select id from organizations')
  })

  test('Redis servers that do not know each other', async () => {
    const [one, other] = await Promise.all([freshRedis(), freshRedis()])
    cleanUps.push(one.close, other.close)
    await command(one.url, ['SET', 'name', 'value'])
    expect(await command(other.url, ['GET', 'name'])).toBeNull()
    await command(other.url, ['FLUSHDB'])
    expect(await command(one.url, ['GET', 'name'])).toBe('value')
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
