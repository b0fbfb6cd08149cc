import { resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Names a store so that two stores can be told apart, without credentials. */
export function describeStore({ engines }: Pick<Config, 'engines'>): string {
  if (engines.databaseUrl === undefined) return `SQLite in ${resolve(engines.dataDir)}`
  const { host, pathname } = new URL(engines.databaseUrl.reveal())
  return `PostgreSQL at ${host}${pathname}`
}
