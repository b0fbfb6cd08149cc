import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const UNITS = [
  ...['video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token'],
  ...['long_cache_write_token', 'output_token', 'web_search_call', 'file_search_call'],
  ...['image_generation_call', 'code_session', 'priority_tier', 'fast_speed', 'flex_tier'],
  ...['regional_inference', 'long_context_input', 'long_context_output'],
]

/** What clients can choose to make a request dearer has prices, and a usage row keeps the prices that applied. */
export function createSurcharges(columns: ColumnTypes): (db: Kysely<unknown>) => Promise<void> {
  return async (db) => {
    await widenPrices(db, columns)
    await db.schema
      .alterTable('models')
      .addColumn('fallback_price', columns.text, (column) =>
        column.check(sql`fallback_price in ('lower', 'asked', 'served')`),
      )
      .execute()
    await db.schema
      .alterTable('models')
      .addColumn('long_context_tokens', columns.integer, (column) =>
        column.check(sql`long_context_tokens between 1 and 2147483647`),
      )
      .execute()
    await db.schema.alterTable('text_usage').addColumn('asked_model', columns.text).execute()
    await db.schema.alterTable('text_usage').addColumn('price_lines', columns.text).execute()
  }
}

/** One engine cannot change a check: the table is made again, under a name of its own until the old one is gone. */
async function widenPrices(db: Kysely<unknown>, columns: ColumnTypes): Promise<void> {
  const units = sql.join(UNITS.map((unit) => sql.lit(unit)))
  await db.schema
    .createTable('model_prices_widened')
    .addColumn('model_id', 'integer', (column) =>
      column.notNull().references('models.model_id').onDelete('cascade'),
    )
    .addColumn('unit', columns.text, (column) => column.notNull().check(sql`unit in (${units})`))
    .addColumn('resolution', columns.text, (column) => column.notNull().defaultTo('*'))
    .addColumn('video_input', columns.text, (column) =>
      column.notNull().defaultTo('*').check(sql`video_input in ('*', 'true', 'false')`),
    )
    .addColumn('audio', columns.text, (column) =>
      column.notNull().defaultTo('*').check(sql`audio in ('*', 'true', 'false')`),
    )
    // US dollars for a second, a call or a million tokens; of a factor the factor itself.
    .addColumn('price', sql`numeric`, (column) =>
      column
        .notNull()
        .check(
          sql`${columns.isNumber('price')} and price between 0 and 1000000 and ${columns.hasSixDecimals('price')}`,
        ),
    )
    .addPrimaryKeyConstraint('model_prices_widened_once', [
      'model_id',
      'unit',
      'resolution',
      'video_input',
      'audio',
    ])
    .execute()
  await sql`
    insert into model_prices_widened (model_id, unit, resolution, video_input, audio, price)
    select model_id, unit, resolution, video_input, audio, price from model_prices`.execute(db)
  await db.schema.dropTable('model_prices').execute()
  await db.schema.alterTable('model_prices_widened').renameTo('model_prices').execute()
}
