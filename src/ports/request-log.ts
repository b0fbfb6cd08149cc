import type { Micros } from '../domain/billing/micros.ts'
import type { LoggedOperation } from './usage.ts'

/** One text request or video create, or a count of refusals that were not kept. */
export interface LoggedRequest {
  id: string
  /** Null: the row counts refusals, or is older than this column. */
  requestId: string | null
  /** Time when the request was charged or refused, or when the video task was created. */
  atMs: number
  /** Null, like `status`: the row counts refusals, or is older than this column. */
  operation: LoggedOperation | null
  organizationId: string
  keyId: string
  userId: string
  /** Model that the client asked for; null: a refused request named none, or text that is no model's name. */
  model: string | null
  /** null: no model served. */
  servedBy: string | null
  provider: string | null
  status: number | null
  code: string | null
  /** Measures are null where the row has none. */
  inputTokens: number | null
  outputTokens: number | null
  /** 0 until a video is settled. */
  costMicros: Micros
  firstTokenMs: number | null
  durationMs: number | null
  taskId: string | null
  /** Number of refusals that were not kept; null for a request. */
  notKept: number | null
}

/** Filters that are left out select every row. */
export interface RequestFilter {
  organizationId?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  provider?: string | undefined
  status?: number | undefined
  code?: string | undefined
  /** Only requests with an error code; a client that left is no error. */
  isFailed?: true | undefined
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  minCostMicros?: Micros | undefined
}

/** Rows come in descending order of time and id. A page begins after its position. */
export interface LogPosition {
  atMs: number
  id: string
}

export interface RequestPageQuery {
  filter: RequestFilter
  after: LogPosition | undefined
  limit: number
}

export interface RequestPage {
  rows: LoggedRequest[]
  /** Position of the next page; undefined: no row is left. A page may be shorter than `limit` although rows are left. */
  next: LogPosition | undefined
}

export interface RefusedRequest
  extends Pick<LoggedRequest, 'id' | 'atMs' | 'organizationId' | 'userId' | 'keyId' | 'operation' | 'status'>,
    Pick<LoggedRequest, 'model' | 'durationMs' | 'notKept'> {
  code: string
}

/** Rows of one table in a span of time, indexed by their values. */
export interface LogSpan {
  id: number
  source: 'text_usage' | 'refused_requests'
  fromMs: number
  toMs: number
  costMicrosMax: number
  values: readonly number[]
}

export interface SpanValue {
  value: number
  spanId: number
}

export interface RequestLogStore {
  page(query: RequestPageQuery): Promise<RequestPage>
  /** Skips rows that exist. */
  writeRefused(rows: readonly RefusedRequest[]): Promise<void>
  /** Reads the next rows before `beforeMs` in spans of `rows` rows; skips a table with fewer than `spansMin` spans. */
  readSpans(pass: { beforeMs: number; rows: number; spansMin: number; spansMax: number }): Promise<LogSpan[]>
  /** Takes sorted values, which make the write short. */
  writeSpanValues(values: readonly SpanValue[]): Promise<void>
  /** Lets filters use spans whose values are stored. */
  closeSpans(spans: readonly Omit<LogSpan, 'values'>[]): Promise<void>
  /** Drops refused requests and spans that ended before this time. A result of `limit` means that more may be left. */
  dropOld(pass: { beforeMs: number; limit: number }): Promise<number>
}
