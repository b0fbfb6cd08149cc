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
  /** Life that was announced before the store was read. */
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

/** A change that the store wrote for a reservation, or by itself. */
export interface StoredChange {
  /** Earlier reservation with its life of the bucket; undefined when there was none. */
  reserved: { life: string; amountMicros: Micros } | undefined
  deltaMicros: Micros
  /** Version of the change in the store; undefined when nothing was written, and the reservation is released. */
  version: number | undefined
  /** Whether every replica reports it: the bucket then remembers the report. */
  isReportedByAll?: boolean
}

export interface LimitChange {
  /** Entry before the user's row was read; a different one means that another process was faster. */
  seen: UserLimitEntry | undefined
  entry: UserLimitEntry
  limitMicros: Micros
  buckets: readonly NewBucket[]
  /** Buckets beside the given ones: finding `all` is for rare acts, since it may scan the whole cache. */
  otherDays: 'all' | readonly string[]
  recount: boolean
  /** Expiry of the bucket of a day, for existing buckets. */
  expiresAtMs(day: string): number
}

/**
 * One bucket per user and calendar day: a limit and the used amount, in whole micros, which expires some time after the
 * day.
 *
 *   none -> announced   a process is going to read the store for it
 *        -> built       from the stored day and its version
 *        -> none        expired, dropped, evicted or flushed, at any moment
 *
 * Each life has its own id, from its announcement on. A build counts only while its announcement stands and the store
 * that it was read from is as new as every change that came meanwhile. So nothing is counted twice and nothing is lost
 * when a bucket disappears and is built again while requests are running.
 */
export interface DayBuckets {
  /** Takes the amount when `used + amount <= limit`; at once where the engine is in this process. */
  reserve(day: UserDay, amountMicros: Micros): Reservation | Promise<Reservation>
  /** Returns true when the bucket exists now, built by any process; false: the read was too old, begin again. */
  build(userId: string, bucket: NewBucket): Promise<boolean>
  /**
   * In the life of the reservation: replaces the reservation by the change. In another life: adds the change unless the
   * bucket was built from a store that had it already. False when there is no bucket: the next build counts the change.
   */
  apply(day: UserDay, change: StoredChange): Promise<boolean>
  readLimit(userId: string): Promise<UserLimitEntry | undefined>
  /** Returns the life of each day's bucket: the existing one, or one announced now. Called before the store is read. */
  look(userId: string, days: readonly string[]): Promise<string[]>
  /** Writes the entry without a bucket (rule 1 of the contract). False when the entry is no longer `seen`. */
  writeLimit(userId: string, change: Pick<LimitChange, 'seen' | 'entry'>): Promise<boolean>
  /**
   * Writes all or nothing (rule 3): the entry, the limit and the expiry of existing buckets, and the given buckets where
   * there are none; an invalid bucket counts as none. With `recount`, the given buckets that exist start a new life from the
   * stored day. False when the read was too old: nothing was changed, begin again.
   */
  enforceLimit(userId: string, change: LimitChange): Promise<boolean>
  /** Drops the entry and every bucket (rule 4). */
  forgetUser(userId: string): Promise<void>
  /** Drops one bucket, which is built again when it is next needed. */
  drop(day: UserDay): Promise<void>
}
