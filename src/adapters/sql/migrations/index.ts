import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import { clips, clipsOfAssets } from './clips.ts'
import { assets } from './release-02/assets.ts'
import { money } from './release-02/money.ts'
import { tenants } from './release-02/tenants.ts'
import { videos } from './release-02/videos.ts'
import { carriedBudgets, tenants as newTenants } from './release-03/tenants.ts'
import { usage } from './release-03/usage.ts'
import { videos as newVideos } from './release-03/videos.ts'

interface MigrationStep {
  /** SQL whose statements are separated by a semicolon at the end of a line. */
  statements: readonly ((columns: ColumnTypes) => string)[]
  /** Refusal of a store that has only some of the earlier migrations that were merged into this one. */
  partRefused?: string
}

/**
 * Migrations in the order of their names. A released migration never changes: add another one. The migrations of a
 * release are merged into one, which has the name of the last (decision 35).
 */
const STEPS: Readonly<Record<string, MigrationStep>> = {
  '0021-like-model': {
    statements: [tenants, money, videos, assets],
    partRefused:
      'This store is older than Sluice 0.2.0. Open it with Sluice 0.2.0 first, then with this one.',
  },
  '0080-demo': {
    statements: [newTenants, usage, newVideos, clips],
    partRefused:
      'This store is of an unreleased Sluice between 0.2.0 and 0.3.0. Restore a backup of a release.',
  },
  '0081-clips-of-assets': { statements: [clipsOfAssets] },
  '0082-carried-budgets': { statements: [carriedBudgets] },
}

export function migrationsWith(columns: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, { statements }]) => [
      name,
      { up: (db) => run(db, statements.map((write) => write(columns)).join(';\n')) },
    ]),
  )
}

async function run(db: Kysely<unknown>, statements: string): Promise<void> {
  for (const statement of statements.split(';\n')) await sql.raw(statement).execute(db)
}

/** Says why a store with these migrations cannot be brought up to this version. */
export function refusalOf(applied: readonly string[]): string | undefined {
  let before = ''
  for (const [name, { partRefused }] of Object.entries(STEPS)) {
    if (!applied.includes(name) && applied.some((each) => before < each && each < name)) return partRefused
    before = name
  }
  const newer = applied.filter((each) => each > before)
  if (newer.length === 0) return undefined
  return `A newer Sluice has already changed this store (${newer.join(', ')}). Update this program to that version or a later one.`
}
