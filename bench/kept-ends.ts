import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { startPostgres } from '../test/servers/postgres-server.ts'
import type { Figures } from './figures.ts'
import { inTurn, median } from './rounds.ts'

const GROUP_ROWS = 100
const VALUE_BYTES = 2 * 1024 * 1024
/** A kept reply has up to four values: response, events, last event and conversation. */
const VALUES = [0, 1, 4, 16]

/** Durable groups of usage rows on PostgreSQL, with values of kept replies inside of their transaction. */
export async function keptEnds(): Promise<Figures[]> {
  const server = await startPostgres()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`
    create table organizations (id text primary key, balance bigint not null);
    create table text_usage (id text primary key, organization_id text not null, cost bigint not null);
    create table kept_values (key text primary key, value text not null);
    insert into organizations values ('org', 1000000)`)
  let count = 0
  const writeGroup = async (valueCount: number) => {
    const ids = Array.from({ length: GROUP_ROWS }, () => `usage-${count++}`)
    // Kept values are encrypted, so they cannot be compressed.
    const values = Array.from({ length: valueCount }, () =>
      randomBytes((VALUE_BYTES * 3) / 4).toString('base64'),
    )
    const began = performance.now()
    await client.query('begin')
    await client.query(`update organizations set balance = balance - $1 where id = 'org'`, [GROUP_ROWS])
    await client.query(`insert into text_usage select unnest($1::text[]), 'org', 1`, [ids])
    for (const value of values)
      await client.query('insert into kept_values values ($1, $2)', [`value-${count++}`, value])
    await client.query('commit')
    return performance.now() - began
  }
  const times = await inTurn(VALUES, writeGroup)
  await client.end()
  await server.remove()
  const rows = [...times].map(([values, ms]) => [`${values} values of 2 MiB`, { 'ms per group': median(ms) }])
  return [{ title: 'A group of 100 usage rows, balances locked', rows: Object.fromEntries(rows) }]
}
