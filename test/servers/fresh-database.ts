import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

export interface FreshDatabase {
  url: string
  /** Works also while connections are open. */
  drop(): Promise<void>
}

/** An empty database, without tables, that no other test file uses. */
export function freshDatabase(): Promise<FreshDatabase> {
  return makeDatabase("template0 encoding 'UTF8'")
}

/** Database after `sluice migrate`. */
export function databaseWithTables(): Promise<FreshDatabase> {
  return makeDatabase(inject('databaseTemplate'))
}

async function makeDatabase(template: string): Promise<FreshDatabase> {
  const serverUrl = inject('databaseUrl')
  const name = `${inject('databasePrefix')}${randomBytes(8).toString('hex')}`
  await execute(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
