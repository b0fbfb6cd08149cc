import type { ColumnTypes } from '../../column-types.ts'

export function money({ id, text, integer, decimal, strict, isNumber, hasSixDecimals }: ColumnTypes) {
  return `
    create table models (
      model_id integer primary key not null check (model_id between 1 and 2147483647),
      name ${text} not null unique,
      endpoints ${text},
      max_output_tokens ${integer} check (max_output_tokens between 1 and 2147483647),
      created_at_ms ${integer} not null check (created_at_ms between 0 and 9007199254740991),
      fallbacks ${text},
      context_tokens ${integer} check (context_tokens between 1 and 2147483647),
      fallback_price ${text} check (fallback_price in ('lower', 'asked', 'served')),
      long_context_tokens ${integer} check (long_context_tokens between 1 and 2147483647),
      like_model ${text}
    ) ${strict};

    -- Operators read and change these rows by hand, so '*' stands for any value of an attribute. A price is in
    -- US dollars for a second, a call or a million tokens, or a factor; a type that rounds would make the
    -- smallest prices free. The table is renamed, because 0.2 named its constraints after the first name.
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
    );
    alter table model_prices_widened rename to model_prices;

    -- Users and tasks are no references, because the ledger is kept longer than they are.
    create table holds (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      kind ${text} not null check (kind in ('task', 'allowance')),
      user_id ${id},
      day ${text},
      task_id ${id} unique,
      amount_micros ${integer} not null check (amount_micros between 0 and 9007199254740991),
      state ${text} not null check (state in ('open', 'settled', 'released', 'expired')),
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      ended_at_ms ${integer},
      constraint holds_end_once check ((state = 'open') = (ended_at_ms is null))
    ) ${strict};
    create index holds_open on holds (expires_at_ms) where state = 'open';
    create index holds_open_of_organization on holds (organization_id) where state = 'open';

    -- The unique index prevents charging a hold twice. A hold may have several refunds, one after another by its
    -- lock. The columns of a cost are null in early settlements.
    create table ledger_entries (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      kind ${text} not null check (kind in ('credit', 'settlement', 'usage', 'refund')),
      amount_micros ${integer} not null check (amount_micros between -9007199254740991 and 9007199254740991),
      loss_micros ${integer} default 0 not null check (loss_micros between 0 and 9007199254740991),
      hold_id ${id} references holds (id),
      note ${text},
      created_at_ms ${integer} not null,
      cost_unit ${text} check (cost_unit in ('video_token', 'second', 'credit')),
      cost_quantity ${decimal},
      cost_price_micros ${integer},
      day_version ${integer}
    ) ${strict};
    create unique index ledger_entries_settle_once on ledger_entries (hold_id) where kind = 'settlement';
    create index ledger_entries_of_organization on ledger_entries (organization_id, id);
    create index ledger_entries_refunds on ledger_entries (hold_id) where kind = 'refund';
    create index ledger_entries_refunds_by_time on ledger_entries (created_at_ms) where kind = 'refund';

    -- Sum of each user's day, from which a lost cache is rebuilt.
    create table user_days (
      user_id ${id} not null,
      day ${text} not null,
      used_micros ${integer} not null,
      version ${integer} not null,
      constraint user_days_once primary key (user_id, day)
    ) ${strict};

    -- One row per text request. Rows that were written together have one ledger entry.
    create table text_usage (
      id ${id} primary key not null,
      organization_id ${id} not null references organizations (id),
      user_id ${id} not null,
      api_key_id ${id} not null,
      model ${text} not null,
      day ${text} not null,
      input_tokens ${integer} not null check (input_tokens >= 0),
      cached_input_tokens ${integer} not null check (cached_input_tokens >= 0),
      cache_write_tokens ${integer} not null check (cache_write_tokens >= 0),
      output_tokens ${integer} not null check (output_tokens >= 0),
      cost_micros ${integer} not null check (cost_micros >= 0),
      outcome ${text} not null check (outcome in ('completed', 'failed', 'hung-up')),
      first_byte_ms ${integer},
      duration_ms ${integer} not null,
      losses ${text},
      entry_id ${id} not null,
      created_at_ms ${integer} not null,
      asked_model ${text},
      price_lines ${text}
    ) ${strict};
    create index text_usage_of_entry on text_usage (entry_id)`
}
