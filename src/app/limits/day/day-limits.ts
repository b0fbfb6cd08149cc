import { ApiError } from '../../../domain/api-error.ts'
import { type Micros, ZERO_MICROS } from '../../../domain/billing/micros.ts'
import type { Calendar } from '../../../domain/limits/calendar-day.ts'
import type { DayBuckets, StoredChange, UserDay } from '../../../ports/day-buckets.ts'
import type { DayMove, LedgerStore } from '../../../ports/ledger.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { UserStore } from '../../../ports/tenants.ts'
import type { DayReservation, SpendingDays } from '../../billing/spending-days.ts'
import type { Runtime } from '../../runtime.ts'
import { watchOutage } from '../outage.ts'
import { syncLimitCache } from '../sync-limit-cache.ts'
import type { DailyLimit, UserLimits } from '../user-limits.ts'
import { reserveIn } from './reserve-in.ts'
import { staleDays } from './stale-days.ts'
import { uncountedDays } from './uncounted-days.ts'

export interface DayLimits extends Omit<SpendingDays, 'reserve' | 'recount'> {
  /** Resolves to undefined for a user without a limit. Rejects with `daily_limit_exceeded` beyond the limit. */
  reserve(
    userId: string,
    amountMicros: Micros,
  ): DayReservation | undefined | Promise<DayReservation | undefined>
  /** Applies a stored move without a reservation, such as a settlement. Never rejects, because the write is done. */
  applyMove(move: DayMove): Promise<void>
  /** Applies a move that every replica reports. The move counts once, however often it is reported. */
  applyMoveOfAll(move: DayMove): Promise<void>
  /** Rebuilds the bucket from the store, after a write whose result is not known. */
  recount(day: UserDay): Promise<void>
  close(): void
}

interface DayLimitParts extends Pick<Runtime, 'clock' | 'log'> {
  buckets: DayBuckets
  /** Opens empty buckets in this process, once for each outage of the shared ones. */
  openLocalBuckets(): DayBuckets
  limits: UserLimits
  users: Pick<UserStore, 'find'>
  ledger: Pick<LedgerStore, 'readDay'>
  calendar: Calendar
  metrics: Pick<Metrics, 'limitKeptLocally'>
}

type WantedDay = UserDay & { amountMicros: Micros }

const DROP_PAUSE_MS = 250

/** The daily limits of users. While the shared buckets are unreachable, each replica enforces them alone. */
export function dayLimits(input: DayLimitParts): DayLimits {
  const { buckets, limits, calendar, clock, log, metrics, ...parts } = input
  const outage = watchOutage({ limit: 'day', log, metrics })
  const reserveFrom = reserveIn({ ledger: parts.ledger, calendar, clock })
  const stale = staleDays({ buckets, log })
  const uncounted = uncountedDays({ limits, recount, clock })
  let local: ReturnType<typeof openLocal> | undefined
  let dropTimer: NodeJS.Timeout | undefined
  let closed = false

  return {
    reserve(userId, amountMicros) {
      const wanted = { userId, day: calendar.dayAt(clock.nowMs()), amountMicros }
      const limit = limits.find(userId)
      if (limit instanceof Promise) return limit.then((found) => found && reserveWithin(found, wanted))
      return limit && reserveWithin(limit, wanted)
    },
    apply: (reservation, move) =>
      reservation === undefined ? applyMove(move) : change(move, { ...move, reserved: reservation }),
    letGo: (reservation) =>
      change(reservation, { reserved: reservation, deltaMicros: ZERO_MICROS, version: undefined }),
    applyMove: (move) => applyMove(move),
    applyMoveOfAll: (move) => applyMove(move, true),
    recount,
    close() {
      closed = true
      uncounted.close()
      clearTimeout(dropTimer)
    },
  }

  function reserveWithin(
    limit: NonNullable<DailyLimit>,
    wanted: WantedDay,
  ): DayReservation | Promise<DayReservation> {
    if (uncounted.take(wanted)) return recount(wanted).then(() => reserveShared(limit, wanted))
    return reserveShared(limit, wanted)
  }

  function reserveShared(
    limit: NonNullable<DailyLimit>,
    wanted: WantedDay,
  ): DayReservation | Promise<DayReservation> {
    const { limitMicros } = limit
    const life = onShared(() => reserveFrom(buckets, { ...wanted, limitMicros }))
    if (!(life instanceof Promise)) return { ...wanted, life }
    return life.then(
      (reserved) => ({ ...wanted, life: reserved }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) return reserveLocally(limit, wanted, error)
        // Only reachable buckets lead to an `ApiError`.
        noteBack()
        throw error
      },
    )
  }

  async function reserveLocally(
    limit: NonNullable<DailyLimit>,
    wanted: WantedDay,
    error: unknown,
  ): Promise<DayReservation> {
    const { limitMicros } = limit
    noteUnreachable(wanted, error)
    local ??= openLocal()
    const here = await local.forLimit(wanted.userId, limit)
    const life = await reserveFrom(here, { ...wanted, limitMicros })
    return { ...wanted, life }
  }

  async function applyMove(move: DayMove, isReportedByAll = false): Promise<void> {
    const isLimited = await isLimitedOrUnknown(move.userId)
    if (!isLimited) uncounted.note(move)
    else if (uncounted.take(move)) await recount(move)
    else await change(move, { ...move, reserved: undefined, isReportedByAll })
  }

  /** A user whose limit cannot be read counts as limited, because a change of a missing bucket does no harm. */
  async function isLimitedOrUnknown(userId: string): Promise<boolean> {
    try {
      return (await limits.find(userId)) !== undefined
    } catch {
      return true
    }
  }

  /** `life` is unique across engines, so an engine that did not make the reservation applies only the change. */
  function change({ userId, day }: UserDay, stored: StoredChange): Promise<void> {
    return onBoth({ userId, day }, (engine) => engine.apply({ userId, day }, stored))
  }

  function recount(day: UserDay): Promise<void> {
    return onBoth(day, (engine) => engine.drop(day))
  }

  async function onBoth(day: UserDay, act: (engine: DayBuckets) => Promise<unknown>): Promise<void> {
    if (local !== undefined) await act(local.buckets)
    try {
      await onShared(() => act(buckets))
    } catch (error) {
      noteUnreachable(day, error)
    }
  }

  /** Drops the buckets of stale days before the call, so that no decision uses them. */
  function onShared<T>(ask: () => T | Promise<T>): T | Promise<T> {
    const answer = stale.isEmpty() ? ask() : stale.drop().then(ask)
    if (answer instanceof Promise) return answer.then(markReachable)
    return markReachable(answer)
  }

  function markReachable<T>(answer: T): T {
    noteBack()
    return answer
  }

  function noteBack(): void {
    if (outage.ended()) local = undefined
  }

  /** Marks the day as stale, because the cache may have carried out the unanswered call. */
  function noteUnreachable(day: UserDay, error: unknown): void {
    outage.began(error)
    stale.add({ userId: day.userId, day: day.day })
    dropLater()
  }

  async function dropStaleDays(): Promise<void> {
    if (stale.isEmpty()) return
    try {
      await stale.drop()
      noteBack()
    } catch {
      dropLater()
    }
  }

  function dropLater(): void {
    if (dropTimer !== undefined || closed) return
    dropTimer = setTimeout(() => {
      dropTimer = undefined
      void dropStaleDays()
    }, DROP_PAUSE_MS)
    dropTimer.unref()
  }

  function openLocal() {
    const here = parts.openLocalBuckets()
    const syncHere = syncLimitCache({ ...parts, buckets: here, calendar, clock })
    return {
      buckets: here,
      /** Applies a limit that changed during the outage to the local buckets too. */
      async forLimit(userId: string, { entry }: NonNullable<DailyLimit>): Promise<DayBuckets> {
        const kept = await here.readLimit(userId)
        if (kept?.maxDailyUserLimit !== entry.maxDailyUserLimit) await syncHere(userId, 'kept')
        return here
      },
    }
  }
}
