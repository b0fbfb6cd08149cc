import { sql } from 'kysely'
import type { MigrationStep } from '../migration-step.ts'

/**
 * Columns of the request log in `text_usage`, refused requests, and the spans by which a filter finds its
 * rows. An index for each filter would cost each request more than its usage row does (decision 27).
 */
export const createRequestLog: MigrationStep = ({ id, text, integer, strict, clustered }) => [
  sql`alter table text_usage add column operation ${text}`,
  sql`alter table text_usage add column status ${integer}`,
  sql`alter table text_usage add column code ${text}`,
  sql`
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
    ) ${strict}`,
  sql`create index refused_requests_by_time on refused_requests (at_ms)`,
  sql`
    create table log_spans (
      id ${integer} primary key not null,
      source ${id} not null,
      from_ms ${integer} not null,
      to_ms ${integer} not null,
      cost_micros_max ${integer} not null
    ) ${strict}`,
  sql`create index log_spans_by_time on log_spans (source, to_ms)`,
  sql`
    create table log_span_values (
      value ${integer} not null,
      span_id ${integer} not null,
      constraint log_span_values_once primary key (value, span_id)
    ) ${clustered}`,
  sql`create index log_span_values_of_span on log_span_values (span_id)`,
]
