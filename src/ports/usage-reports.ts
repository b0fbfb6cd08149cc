import type { Micros } from '../domain/billing/micros.ts'
import type { PriceLine } from '../domain/billing/price-text.ts'
import type { Histogram } from '../domain/usage/quantile.ts'
import type { UsageGroup, UsageQuery } from '../domain/usage/usage-query.ts'
import type { CostTerms } from '../domain/video/cost-of-task.ts'
import type { UsageRow } from './usage.ts'

export interface UsageSumQuery extends UsageQuery {
  /** Which sums are added up: those of hours, or those of days. */
  unit: 'hour' | 'day'
  /** undefined: of all. */
  organizationId: string | undefined
  /** The groups of the last sum on the page before, in the order of `by`. */
  after: readonly (string | number)[] | undefined
  limit: number
}

/** What was used and charged, with a value for each group that was asked for: a moment or an id. */
export interface UsageSum extends Partial<Record<Exclude<UsageGroup, 'day' | 'hour'>, string>> {
  day?: number
  hour?: number
  requests: number
  errors: number
  inputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  outputTokens: number
  videoMs: number
  /** Less what was refunded; below zero where a refund is for an earlier charge. */
  costMicros: Micros
}

/** One text request as it was charged. What older rows do not have is null. */
export interface TextCharge
  extends Omit<UsageRow, 'requestId' | 'provider' | 'priceModel' | 'priceLines' | 'day' | 'createdAtMs'> {
  requestId: string | null
  provider: string | null
  priceModel: string | null
  priceLines: readonly PriceLine[] | null
  entryId: string
  /** When it was charged. */
  atMs: number
}

/** One video as it was charged. Measures of older settlements are null. */
export interface VideoCharge {
  /** Request id of the create call; null where the task is dropped, or older than this member. */
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
  /** What the vendor's measure came to beyond the quote of its task. */
  quoteLossMicros: Micros
  refundedMicros: Micros
  atMs: number
}

/** A time whose sums are added up, those of hours or those of days. */
export interface OverviewQuery {
  fromMs: number
  /** Exclusive. */
  toMs: number
  unit: 'hour' | 'day'
}

/** What all organizations used in a time, and how tasks ended that were made in it. */
export interface PeriodFigures extends Omit<UsageSum, UsageGroup> {
  firstByte: Histogram
  /** Without videos. */
  duration: Histogram
  /** Each at most 100,000. */
  ended: Record<'succeeded' | 'failed' | 'cancelled', number>
  callbacksGivenUp: number
}

/** Charges of a time in the order of their moment and id. */
export interface ChargePage {
  fromMs: number
  toMs: number
  organizationId: string | undefined
  after: { atMs: number; id: string }
  limit: number
}

/** Usage added up by hour and by day, and the charges behind the sums. */
export interface UsageReportStore {
  /** In ascending order of their groups. */
  sum(query: UsageSumQuery): Promise<UsageSum[]>
  readPeriod(period: OverviewQuery): Promise<PeriodFigures>
  /** By its request id or its own. */
  findText(id: string): Promise<TextCharge | undefined>
  /** Rows of requests that were charged before this moment were dropped; 0: none were. */
  findRowsFrom(): Promise<number>
  /** By the id of its task, or by that of the request that made it. */
  findVideo(id: string): Promise<VideoCharge | undefined>
  listText(page: ChargePage): Promise<TextCharge[]>
  listVideo(page: ChargePage): Promise<VideoCharge[]>
  /**
   * Adds charges to the rollups that are not in them: from before there were rollups, or of an older replica beside this
   * one. Returns how many entries, at most `limit` of text and as many of video.
   */
  countLate(pass: { limit: number }): Promise<number>
  /**
   * Adds up a day before this moment by model and by key, so that reports over many days read fewer rows. Returns 0 when
   * every day is closed.
   */
  closeDay(pass: { beforeMs: number }): Promise<number>
  /**
   * Drops usage rows of text and rollups of hours that are older than these moments, which are beginnings of days in UTC.
   * Returns how many, at most `limit` of each.
   */
  dropOld(pass: { rowsBeforeMs: number; hoursBeforeMs: number; limit: number }): Promise<number>
}
