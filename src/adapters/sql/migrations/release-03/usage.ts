import type { ColumnTypes } from '../../column-types.ts'
import { addColumns } from './add-columns.ts'

export function usage(columns: ColumnTypes) {
  const { id, text, integer, strict, clustered } = columns
  return `
    ${createRollup('usage_rollup_hour', columns)};
    ${createRollup('usage_rollup_day', columns)};
    ${createSums('usage_rollup_day_model', ['model'], columns)};
    ${createSums('usage_rollup_day_key', ['user_id', 'api_key_id'], columns)};

    -- Checks leave out rows older than the first two times, which may have been dropped; closed_to_ms is the day
    -- up to which the sums of past days exist.
    create table usage_retention (
      id ${integer} primary key not null check (id = 1),
      rows_from_ms ${integer} not null,
      hours_from_ms ${integer} not null,
      closed_to_ms ${integer} default 0 not null
    ) ${strict};

    -- charged_at_ms is the time of the entry; null: the rollups lack the row of an older version.
    ${addColumns(
      'text_usage',
      `
      request_id ${id}
      provider ${text}
      price_model ${text}
      vendor_usage ${text}
      charged_at_ms ${integer}
      operation ${text}
      status ${integer}
      code ${text}`,
    )};
    create index text_usage_of_request on text_usage (request_id) where request_id is not null;
    create index text_usage_by_time on text_usage (charged_at_ms) where charged_at_ms is not null;
    create index text_usage_uncounted on text_usage (entry_id) where charged_at_ms is null;

    -- Keys of a settlement or a refund in the rollups are null when the rollups lack it. A refund of a usage row
    -- keeps a copy of its day, because the row may be dropped before the entry.
    ${addColumns(
      'ledger_entries',
      `
      user_id ${id}
      api_key_id ${id}
      model ${text}
      outcome ${text}
      video_ms ${integer}
      duration_ms ${integer}
      usage_id ${id}
      usage_day ${text}
      quote_loss_micros ${integer} default 0 not null`,
    )};
    create index ledger_entries_uncounted on ledger_entries (id)
      where kind in ('settlement', 'refund') and model is null;
    create index ledger_entries_counted_by_time on ledger_entries (created_at_ms)
      where kind in ('settlement', 'refund') and model is not null;
    create index ledger_entries_usage_refunds on ledger_entries (usage_id) where usage_id is not null;
    create index ledger_entries_by_kind on ledger_entries (kind, id) where kind <> 'usage';
    create index ledger_entries_of_kind on ledger_entries (organization_id, kind, id) where kind <> 'usage';

    alter table holds add column api_key_id ${id};
    create index holds_open_of_key on holds (api_key_id) where state = 'open' and api_key_id is not null;

    -- Replies that clients read again, encrypted, for deployments without Redis.
    create table kept_values (
      key ${id} primary key not null,
      value ${text} not null,
      share ${id},
      bytes ${integer} not null,
      expires_at_ms ${integer} not null
    ) ${strict};
    create index kept_values_over on kept_values (expires_at_ms);
    create index kept_values_of on kept_values (share, expires_at_ms, bytes) where share is not null;

    -- Signed receipts of tasks, usage rows, copies and revocations, one chain per organization. The number is the
    -- position in the chain. Entries of revocations have no API key, and only those of usage rows a request.
    create table receipts (
      id ${id} primary key not null,
      organization_id ${id} not null,
      api_key_id ${id},
      number ${integer} not null,
      hash ${id} not null,
      jws ${text} not null,
      made_at_ms ${integer} not null,
      request_id ${id},
      constraint receipts_in_a_chain unique (organization_id, number)
    ) ${strict};
    create index receipts_of_requests on receipts (request_id) where request_id is not null;
    -- A key that no longer signs has no private key.
    create table receipt_keys (
      id ${id} primary key not null,
      public_key ${text} not null,
      sealed_private_key ${text},
      created_at_ms ${integer} not null
    ) ${strict};

    -- Refused requests; a row with not_kept counts requests that have none. The spans are those by which a filter of
    -- the request log finds its rows: an index for each filter would cost each request more than its usage row does
    -- (decision 27).
    create table refused_requests (
      id ${id} primary key not null,
      at_ms ${integer} not null,
      organization_id ${id} not null,
      user_id ${id} not null,
      api_key_id ${id} not null,
      operation ${text},
      status ${integer},
      code ${text} not null,
      model ${id},
      duration_ms ${integer},
      not_kept ${integer} check (not_kept > 0)
    ) ${strict};
    create index refused_requests_by_time on refused_requests (at_ms);
    create table log_spans (
      id ${integer} primary key not null,
      source ${id} not null,
      from_ms ${integer} not null,
      to_ms ${integer} not null,
      cost_micros_max ${integer} not null
    ) ${strict};
    create index log_spans_by_time on log_spans (source, to_ms);
    create table log_span_values (
      value ${integer} not null,
      span_id ${integer} not null,
      constraint log_span_values_once primary key (value, span_id)
    ) ${clustered};
    create index log_span_values_of_span on log_span_values (span_id)`
}

/** Columns of sums in the rollups, as the release has them. */
const COUNTS = [
  ...['requests', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'],
  ...['video_ms', 'cost_micros'],
  ...['first_byte_100', 'first_byte_250', 'first_byte_500', 'first_byte_1000', 'first_byte_2500'],
  ...['first_byte_5000', 'first_byte_10000', 'first_byte_more'],
  ...['duration_250', 'duration_1000', 'duration_2500', 'duration_5000', 'duration_15000', 'duration_60000'],
  ...['duration_300000', 'duration_more'],
]

function createRollup(name: string, { id, text, integer, strict }: ColumnTypes): string {
  return `
    create table ${name} (
      organization_id ${id} not null,
      starts_at_ms ${integer} not null,
      user_id ${id} not null,
      api_key_id ${id} not null,
      model ${id} not null,
      outcome ${text} not null,
      ${notNull(COUNTS, integer)},
      constraint ${name}_once primary key (organization_id, starts_at_ms, user_id, api_key_id, model, outcome)
    ) ${strict};
    create index ${name}_by_time on ${name} (starts_at_ms)`
}

function createSums(name: string, keys: readonly string[], { id, integer, strict }: ColumnTypes): string {
  return `
    create table ${name} (
      starts_at_ms ${integer} not null,
      organization_id ${id} not null,
      ${notNull(keys, id)},
      ${notNull(COUNTS, integer)},
      constraint ${name}_once primary key (starts_at_ms, organization_id, ${keys.join(', ')})
    ) ${strict};
    create index ${name}_of on ${name} (organization_id, starts_at_ms)`
}

function notNull(columns: readonly string[], type: string): string {
  return columns.map((column) => `${column} ${type} not null`).join(',\n')
}
