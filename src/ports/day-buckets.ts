import type { Micros } from '../domain/billing/micros.ts'
import type { UserLimitEntry } from '../domain/limits/user-limit.ts'
import type { StoredDay } from './ledger.ts'

export interface UserDay {
  userId: string
  /** `YYYY-MM-DD` */
  day: string
}

export interface NewBucket {
  day: string
  /** What was announced before the store was read. */
  life: string
  expiresAtMs: number
  limitMicros: Micros
  stored: StoredDay
}

export type Reservation =
  | { kind: 'reserved'; life: string }
  | { kind: 'over'; limitMicros: Micros; usedMicros: Micros }
  /** The life that may now be built; announced in the same step. */
  | { kind: 'absent'; life: string }

/** What the store wrote for a reservation, or by itself. */
export interface StoredChange {
  /** What was reserved before, and in which life of the bucket; undefined when nothing was. */
  reserved: { life: string; amountMicros: Micros } | undefined
  deltaMicros: Micros
  /** The version the store gave it; undefined when nothing was written after all, and the reservation is released. */
  version: number | undefined
  /** Every replica reports it, and the bucket remembers that it was reported. */
  isReportedByAll?: boolean
}

export interface LimitChange {
  /** The entry that was there before the user's row was read; another one by now means that another process was faster. */
  seen: UserLimitEntry | undefined
  entry: UserLimitEntry
  limitMicros: Micros
  buckets: readonly NewBucket[]
  /** Which buckets besides the given ones: looking for all there are is for rare acts, since it may be a long walk. */
  otherDays: 'all' | readonly string[]
  recount: boolean
  /** When the bucket of a day goes, for those that are there already. */
  expiresAtMs(day: string): number
}

/**
 * One bucket per user and calendar day: a limit and what was used, in whole micros, gone by itself some time after the
 * day.
 *
 *   none -> announced   a process is going to read the store for it
 *        -> built       with what the store said, and the version of the day it said it of
 *        -> none        expired, dropped, evicted or flushed, at any moment
 *
 * Each life has an id of its own, from its announcement on. A build counts only while its announcement stands and the
 * store it was read from is as new as every change that came by meanwhile. So nothing is counted twice and nothing is
 * lost when a bucket vanishes and is built again while requests are running.
 */
export interface DayBuckets {
  /** Takes the amount when `used + amount <= limit`; at once where the engine is in this process. */
  reserve(day: UserDay, amountMicros: Micros): Reservation | Promise<Reservation>
  /** True when the bucket is there now, built by any process; false: what was read is too old, begin again. */
  build(userId: string, bucket: NewBucket): Promise<boolean>
  /**
   * In the life it was reserved in: puts the change in place of the reservation. In another life: adds the change unless
   * the bucket was built from a store that had it already. False when there is no bucket: the next build counts the change.
   */
  apply(day: UserDay, change: StoredChange): Promise<boolean>
  /** Undefined when there is none. */
  readLimit(userId: string): Promise<UserLimitEntry | undefined>
  /** The life of each day's bucket: the one it has, or one announced now. To be asked before the store. */
  look(userId: string, days: readonly string[]): Promise<string[]>
  /** Rule 1 of the contract: the entry alone, no bucket. False when the entry is not `seen` any more. */
  writeLimit(userId: string, change: Pick<LimitChange, 'seen' | 'entry'>): Promise<boolean>
  /**
   * Rule 3, all or nothing: the entry, the limit and the expiry of the buckets there are, and the given buckets where
   * there are none; one that makes no sense is none. With `recount`, the given buckets that exist start a new life with
   * what the store says. False when what was read is too old: nothing was changed, begin again.
   */
  enforceLimit(userId: string, change: LimitChange): Promise<boolean>
  /** Rule 4: the entry and every bucket. */
  forgetUser(userId: string): Promise<void>
  /** Drops one bucket, which is built again when it is next needed. */
  drop(day: UserDay): Promise<void>
}
