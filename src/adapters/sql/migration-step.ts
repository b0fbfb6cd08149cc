import type { Kysely, RawBuilder } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/** Returns the statements of a migration in order. A function is a change that depends on rows. */
export type MigrationStep = (
  columns: ColumnTypes,
) => readonly (RawBuilder<unknown> | ((db: Kysely<unknown>) => Promise<void>))[]

/** Migrations by the names that a store keeps. */
export type MigrationSteps = Readonly<Record<string, MigrationStep>>
