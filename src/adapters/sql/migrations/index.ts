import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import type { MigrationStep, MigrationSteps } from '../migration-step.ts'
import { MIGRATIONS as FROM_0001 } from './0001-to-0009.ts'
import { MIGRATIONS as FROM_0010 } from './0010-to-0021.ts'
import { MIGRATIONS as FROM_0022 } from './0022-to-0042.ts'
import { MIGRATIONS as FROM_0044 } from './0044-to-0070.ts'
import { MIGRATIONS as FROM_0071 } from './0071-to-0080.ts'

/** Migrations in the order of their names. A released one never changes: add another. */
const STEPS: MigrationSteps = { ...FROM_0001, ...FROM_0010, ...FROM_0022, ...FROM_0044, ...FROM_0071 }

export function migrationsWith(columns: ColumnTypes): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, { up: (db) => run(db, step(columns)) }]),
  )
}

async function run(db: Kysely<unknown>, statements: ReturnType<MigrationStep>): Promise<void> {
  for (const statement of statements)
    await (typeof statement === 'function' ? statement(db) : statement.execute(db))
}
