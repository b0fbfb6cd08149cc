import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/** Prices of options that make a request dearer. A usage row keeps the prices that applied. */
export const createSurcharges: MigrationStep = ({ text, integer, isNumber, hasSixDecimals }) => [
  // SQLite cannot change a check, so the table is created again under another name. `price` is in US dollars for a second, a call or
  // a million tokens, or a factor.
  sql`
    create table model_prices_widened (
      model_id integer not null references models (model_id) on delete cascade,
      unit ${text} not null
        check (unit in ('video_token', 'second', 'input_token', 'cached_input_token', 'cache_write_token', 'long_cache_write_token', 'output_token', 'web_search_call', 'file_search_call', 'image_generation_call', 'code_session', 'priority_tier', 'fast_speed', 'flex_tier', 'regional_inference', 'long_context_input', 'long_context_output')),
      resolution ${text} default '*' not null,
      video_input ${text} default '*' not null check (video_input in ('*', 'true', 'false')),
      audio ${text} default '*' not null check (audio in ('*', 'true', 'false')),
      price numeric not null
        check (${isNumber('price')} and price between 0 and 1000000 and ${hasSixDecimals('price')}),
      constraint model_prices_widened_once primary key (model_id, unit, resolution, video_input, audio)
    )`,
  sql`
    insert into model_prices_widened (model_id, unit, resolution, video_input, audio, price)
    select model_id, unit, resolution, video_input, audio, price from model_prices`,
  sql`drop table model_prices`,
  sql`alter table model_prices_widened rename to model_prices`,
  sql`
    alter table models add column fallback_price ${text}
    check (fallback_price in ('lower', 'asked', 'served'))`,
  sql`
    alter table models add column long_context_tokens ${integer}
    check (long_context_tokens between 1 and 2147483647)`,
  sql`alter table text_usage add column asked_model ${text}`,
  sql`alter table text_usage add column price_lines ${text}`,
]
