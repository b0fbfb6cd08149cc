import type { Micros } from '../domain/billing/micros.ts'
import type { LoggedOperation } from './usage.ts'

/** One text request or video create that was answered or refused, or a count of refusals that were not kept. */
export interface LoggedRequest {
  id: string
  /** Null: the row counts refusals, or is older than this column. */
  requestId: string | null
  /** Time of the end of the request; for a video, of its creation. */
  atMs: number
  /** Null, like `status`: the row counts refusals, or is older than this column. */
  operation: LoggedOperation | null
  organizationId: string
  keyId: string
  userId: string
  /** Model that the client asked for; null: a refused request named none. */
  model: string | null
  /** Model that served; null: none did. */
  servedBy: string | null
  provider: string | null
  status: number | null
  code: string | null
  /** Null, like every measure here, where the row has none. */
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

/** Filters of the log; left out: every row. */
export interface RequestFilter {
  organizationId?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  model?: string | undefined
  provider?: string | undefined
  status?: number | undefined
  code?: string | undefined
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  minCostMicros?: Micros | undefined
}

/** Rows come in descending order of time and id; a page begins behind its position. */
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
  /** At most `limit` rows. */
  rows: LoggedRequest[]
  /** Position before the next page; undefined: no row is left. A page with fewer rows than its limit may have one. */
  next: LogPosition | undefined
}

/** A refused request, or a count of those that were not kept. */
export interface RefusedRequest
  extends Pick<LoggedRequest, 'id' | 'atMs' | 'organizationId' | 'userId' | 'keyId' | 'operation' | 'status'>,
    Pick<LoggedRequest, 'model' | 'durationMs' | 'notKept'> {
  code: string
}

/** Rows of one table in a span of time. */
export interface LogSpan {
  id: number
  source: 'text_usage' | 'refused_requests'
  fromMs: number
  toMs: number
  costMicrosMax: number
  /** Numbers of the values that its rows have. */
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
  /**
   * Reads the values of the next rows before `beforeMs`, in spans of `rows` rows. Returns none while there are fewer than
   * `spansMin` spans in every table.
   */
  readSpans(pass: { beforeMs: number; rows: number; spansMin: number; spansMax: number }): Promise<LogSpan[]>
  /** Stores values of spans. Each call is short where the values are sorted. */
  writeSpanValues(values: readonly SpanValue[]): Promise<void>
  /** Makes spans whose values are stored known to filters. */
  closeSpans(spans: readonly Omit<LogSpan, 'values'>[]): Promise<void>
  /** Drops refused requests and spans that ended before this time. Returns their number, at most `limit` of each. */
  dropOld(pass: { beforeMs: number; limit: number }): Promise<number>
}
