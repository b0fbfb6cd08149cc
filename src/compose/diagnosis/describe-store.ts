import { resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Exact enough to tell two stores apart, and without credentials. */
export function describeStore({ engines }: Pick<Config, 'engines'>): string {
  if (engines.databaseUrl === undefined) return `SQLite in ${resolve(engines.dataDir)}`
  const { host, pathname } = new URL(engines.databaseUrl.reveal())
  return `PostgreSQL at ${host}${pathname}`
}
