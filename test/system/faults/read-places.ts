import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@redis/client'
import { Client } from 'pg'

/** A store of which a test reads everything, beside the gateway that writes it. */
export interface ReadableStore {
  rows(table: string): Promise<Record<string, unknown>[]>
  /** Returns everything as text. */
  dump(): Promise<string>
}

/** Reads the files themselves, which also contain deleted data until it is overwritten. */
export function readSqlite(dataDir: string): ReadableStore {
  return {
    async rows(table) {
      using database = new DatabaseSync(join(dataDir, 'sluice.db'), { readOnly: true, timeout: 5_000 })
      return database.prepare(`select * from ${table}`).all()
    },
    dump: async () =>
      readdirSync(dataDir)
        .map((file) => readFileSync(join(dataDir, file), 'latin1'))
        .join('\n'),
  }
}

export function readPostgres(url: string): ReadableStore {
  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const rows = (table: string) => query(`select * from ${table}`)
  return {
    rows,
    async dump() {
      const tables = await query(
        "select table_name from information_schema.tables where table_schema = 'public'",
      )
      const all: unknown[] = []
      for (const { table_name } of tables) all.push(table_name, await rows(`"${table_name}"`))
      return JSON.stringify(all)
    },
  }
}

export async function dumpRedis(url: string): Promise<string> {
  const client = createClient({ url })
  await client.connect()
  const found: unknown[] = []
  try {
    for await (const keys of client.scanIterator({ COUNT: 1_000 }))
      for (const key of keys) {
        const type = await client.type(key)
        const read = READERS[type]
        if (read === undefined) throw new Error(`${key} is a ${type}`)
        found.push(key, await client.sendCommand([...read(key)]))
      }
  } finally {
    await client.close()
  }
  return JSON.stringify(found)
}

const READERS: Readonly<Record<string, (key: string) => readonly string[]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  stream: (key) => ['XRANGE', key, '-', '+'],
}
