import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Operators read and change these rows by hand, so an attribute that does not matter is a plain `*`. */
export function createPrices(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await db.schema
      .createTable('model_prices')
      .addColumn('model_id', 'integer', (column) =>
        column.notNull().references('models.model_id').onDelete('cascade'),
      )
      .addColumn('unit', columns.text, (column) =>
        column
          .notNull()
          .check(
            sql`unit in ('video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token', 'output_token')`,
          ),
      )
      .addColumn('resolution', columns.text, (column) => column.notNull().defaultTo('*'))
      .addColumn('video_input', columns.text, (column) =>
        column.notNull().defaultTo('*').check(sql`video_input in ('*', 'true', 'false')`),
      )
      .addColumn('audio', columns.text, (column) =>
        column.notNull().defaultTo('*').check(sql`audio in ('*', 'true', 'false')`),
      )
      // US dollars for a second, or for a million tokens. A type that rounds by itself would make the smallest ones free.
      .addColumn('price', sql`numeric`, (column) =>
        column
          .notNull()
          .check(
            sql`${columns.isNumber('price')} and price between 0 and 1000000 and ${columns.hasSixDecimals('price')}`,
          ),
      )
      .addPrimaryKeyConstraint('model_prices_once', [
        'model_id',
        'unit',
        'resolution',
        'video_input',
        'audio',
      ])
      .execute()
  }
}
