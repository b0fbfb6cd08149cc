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
  life: string
  expiresAtMs: number
  limitMicros: Micros
  stored: StoredDay
}

export type Reservation =
  | { kind: 'reserved'; life: string }
  | { kind: 'over'; limitMicros: Micros; usedMicros: Micros }
  /** No bucket exists. Its life was announced, by this call or an earlier one, and may now be built. */
  | { kind: 'absent'; life: string }

/** A change that the store wrote, with or without an earlier reservation. */
export interface StoredChange {
  /** Earlier reservation, with the bucket's life; undefined: there was none. */
  reserved: { life: string; amountMicros: Micros } | undefined
  deltaMicros: Micros
  /** Version of the change in the store; undefined: the store wrote nothing, so the reservation is released. */
  version: number | undefined
  /** Whether every replica reports the change. The bucket then remembers the version and counts it once. */
  isReportedByAll?: boolean
}

export interface LimitChange {
  /** Entry before the user's row was read. A different entry means that another process was faster. */
  seen: UserLimitEntry | undefined
  entry: UserLimitEntry
  limitMicros: Micros
  buckets: readonly NewBucket[]
  /** Other days whose buckets change. `all` may scan the whole cache, so it is only for rare acts. */
  otherDays: 'all' | readonly string[]
  recount: boolean
  expiresAtMs(day: string): number
}

/**
 * One bucket per user and calendar day: a limit and the used amount, in whole micros. It expires some time after the day.
 *
 *   none -> announced   a process is going to read the store for it
 *        -> built       from the stored day and its version
 *        -> none        expired, dropped, evicted or flushed, at any moment
 *
 * Each life has its own id, from its announcement on. A build succeeds only while its announcement stands and the store
 * that it read includes every change of that life. A bucket can therefore disappear and be built again while requests run,
 * and still counts every change once.
 */
export interface DayBuckets {
  /** Takes the amount when `used + amount <= limit`. An engine in this process returns no promise. */
  reserve(day: UserDay, amountMicros: Micros): Reservation | Promise<Reservation>
  /** Returns true when the bucket exists now, built by any process. False: the read was too old; begin again. */
  build(userId: string, bucket: NewBucket): Promise<boolean>
  /**
   * In the life of the reservation, the change replaces the reservation. In another life, the change is added unless the
   * bucket was built from a store that included it. False when there is no bucket: the next build counts the change.
   */
  apply(day: UserDay, change: StoredChange): Promise<boolean>
  readLimit(userId: string): Promise<UserLimitEntry | undefined>
  /** Returns the life of each day's bucket: the existing one, or a newly announced one. Call it before reading the store. */
  look(userId: string, days: readonly string[]): Promise<string[]>
  /** Writes the entry but no bucket. False when the entry is no longer `seen`. */
  writeLimit(userId: string, change: Pick<LimitChange, 'seen' | 'entry'>): Promise<boolean>
  /**
   * Writes all or nothing: the entry, the limit and expiry of existing buckets, and the given buckets if they
   * are missing or invalid. With `recount`, existing buckets among the given ones start a new life from the stored day.
   * False when the read was too old: begin again.
   */
  enforceLimit(userId: string, change: LimitChange): Promise<boolean>
  /** Drops the entry and every bucket. */
  forgetUser(userId: string): Promise<void>
  drop(day: UserDay): Promise<void>
}
