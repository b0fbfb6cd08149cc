import type { Kysely, RawBuilder } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/** Statements of a migration in order, and functions for changes that depend on rows. */
export type MigrationStep = (
  columns: ColumnTypes,
) => readonly (RawBuilder<unknown> | ((db: Kysely<unknown>) => Promise<void>))[]
