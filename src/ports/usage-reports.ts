import type { Micros } from '../domain/billing/micros.ts'
import type { PriceLine } from '../domain/billing/price-text.ts'
import type { Histogram } from '../domain/usage/quantile.ts'
import type { UsageGroup, UsageQuery } from '../domain/usage/usage-query.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { TextFigures, UsageRow } from './usage.ts'

export interface UsageSumQuery extends UsageQuery {
  /** Rollups that are added up: those of hours or those of days. */
  unit: 'hour' | 'day'
  /** undefined: all organizations. */
  organizationId: string | undefined
  /** Groups of the last sum on the page before, in the order of `by`. */
  after: readonly (string | number)[] | undefined
  limit: number
}

/** Usage and charges, with a value for each requested group: a time or an id. */
export interface UsageSum
  extends Partial<Record<Exclude<UsageGroup, 'day' | 'hour'>, string>>,
    Pick<TextFigures, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'outputTokens'> {
  day?: number
  hour?: number
  requests: number
  errors: number
  videoMs: number
  /** Net of refunds; below zero where a refund is for an earlier charge. */
  costMicros: Micros
}

/** The charge of one text request. Members that older rows do not have are null. */
export interface TextCharge
  extends Omit<TextFigures, 'operation' | 'provider'>,
    Pick<UsageRow, 'id' | 'organizationId' | 'userId' | 'keyId' | 'vendorUsage' | 'losses'> {
  requestId: string | null
  provider: string | null
  priceModel: string | null
  priceLines: readonly PriceLine[] | null
  entryId: string
  atMs: number
}

/** The charge of one video. Measures of older settlements are null. */
export interface VideoCharge {
  /** Request id of the create call; null: the task is dropped, or older than this column. */
  requestId: string | null
  entryId: string
  taskId: string | null
  organizationId: string
  userId: string | null
  keyId: string | null
  model: string
  provider: string | null
  unit: CostTerms['unit'] | null
  quantity: number | null
  priceMicros: Micros | null
  videoMs: number
  holdMicros: Micros
  costMicros: Micros
  lossMicros: Micros
  /** Cost by the vendor's measure beyond the quote of the task. */
  quoteLossMicros: Micros
  refundedMicros: Micros
  atMs: number
}

/** A period whose sums of hours, or of days, are added up. */
export interface OverviewQuery {
  fromMs: number
  /** Exclusive. */
  toMs: number
  unit: 'hour' | 'day'
}

/** Usage of all organizations in a period, and the ends of tasks that were made in it. */
export interface PeriodFigures extends Omit<UsageSum, UsageGroup> {
  firstByte: Histogram
  /** Videos are not included. */
  duration: Histogram
  /** Each count is at most 100,000. */
  ended: Record<'succeeded' | 'failed' | 'cancelled', number>
  callbacksGivenUp: number
}

/** Charges of a period, ordered by time and id. */
export interface ChargePage {
  fromMs: number
  toMs: number
  organizationId: string | undefined
  after: { atMs: number; id: string }
  limit: number
}

export interface UsageReportStore {
  sum(query: UsageSumQuery): Promise<UsageSum[]>
  readPeriod(period: OverviewQuery): Promise<PeriodFigures>
  findText(id: string): Promise<TextCharge | undefined>
  /** Returns the time before which rows were dropped; 0: none were. */
  findRowsFrom(): Promise<number>
  /** Finds a charge by the id of its task, or of the request that made it. */
  findVideo(id: string): Promise<VideoCharge | undefined>
  listText(page: ChargePage): Promise<TextCharge[]>
  listVideo(page: ChargePage): Promise<VideoCharge[]>
  /**
   * Adds missing charges to the rollups: charges from before rollups existed, and charges of replicas of an older
   * version. Returns the number of ledger entries, at most `limit` of text and as many of video.
   */
  countLate(pass: { limit: number }): Promise<number>
  /** Adds up a past day by model and by key, so that long reports read fewer rows. Returns 0 when every day is closed. */
  closeDay(pass: { beforeMs: number }): Promise<number>
  /** Drops rows and hourly rollups before these days in UTC, at most `limit` of each; returns their number. */
  dropOld(pass: { rowsBeforeMs: number; hoursBeforeMs: number; limit: number }): Promise<number>
}
