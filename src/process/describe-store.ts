import type { Config } from '../config/config.ts'

export function describeStore({ engines }: Pick<Config, 'engines'>): string {
  return engines.databaseUrl === undefined ? `SQLite in ${engines.dataDir}` : 'PostgreSQL'
}
