import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Operators read and change these rows by hand, so `*` stands for any value of an attribute. */
export const createPrices: MigrationStep = ({ text, isNumber, hasSixDecimals }) => [
  // US dollars for a second or a million tokens. A type that rounds would make the smallest prices free.
  sql`
    create table model_prices (
      model_id integer not null references models (model_id) on delete cascade,
      unit ${text} not null
        check (unit in ('video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token', 'output_token')),
      resolution ${text} default '*' not null,
      video_input ${text} default '*' not null check (video_input in ('*', 'true', 'false')),
      audio ${text} default '*' not null check (audio in ('*', 'true', 'false')),
      price numeric not null
        check (${isNumber('price')} and price between 0 and 1000000 and ${hasSixDecimals('price')}),
      constraint model_prices_once primary key (model_id, unit, resolution, video_input, audio)
    )`,
]
