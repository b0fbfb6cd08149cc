import { ApiError } from '../../../domain/api-error.ts'
import { coverAllButOne, isUncovered } from '../../../domain/billing/cover-all-but-one.ts'
import type { TextReserve } from '../../../domain/billing/reserve-for-text.ts'
import type { DayReservation, SpendingDays } from '../../billing/spending-days.ts'
import type { DayLimits } from './day-limits.ts'
import { OverDay } from './reserve-in.ts'

/** Maximum wait for other requests, which may be streams of many minutes. Clients have their own timeouts. */
const PATIENCE_MS = 30_000
const RETRY_AFTER_SECONDS = 5
/** Maximum waiting requests of one user: each one holds its client's connection and body. */
const WAITING_MAX = 64

/** State of one user with a limit, while requests of that user run or wait. */
interface UserInFlight {
  hasUncovered: boolean
  reservedMicros: number
  readonly waiters: DayWaiter[]
  isServing: boolean
}

interface DayWaiter {
  reserve: TextReserve
  reserved(reservation: DayReservation | undefined): void
  refused(reason: unknown): void
  timer: NodeJS.Timeout
}

/**
 * Applies `coverAllButOne` to the day of each user with a limit. A request counts as running until the day's bucket has
 * its real cost. When the running requests leave no room for a new one, the new request waits for them.
 */
export function coverDays(days: DayLimits, input: { patienceMs?: number } = {}): SpendingDays {
  const { patienceMs = PATIENCE_MS } = input
  const users = new Map<string, UserInFlight>()

  return {
    reserve(userId, reserve) {
      const user = users.get(userId)
      if (user !== undefined && user.waiters.length > 0) return wait(userId, reserve)
      const othersMicros = user?.reservedMicros ?? 0
      const pending = attempt(userId, reserve)
      if (!(pending instanceof Promise)) return pending
      return pending.catch((apiError: unknown) => {
        if (!canWait(apiError, reserve, othersMicros)) throw apiError
        const waiting = wait(userId, reserve)
        // The running requests may have ended before this request was queued.
        void serve(userId)
        return waiting
      })
    },
    apply: (reservation, move) => days.apply(reservation, move).finally(() => ended(reservation)),
    letGo: (reservation) => days.letGo(reservation).finally(() => ended(reservation)),
    recount: (reservation) => days.recount(reservation).finally(() => ended(reservation)),
  }

  /** Marks the one uncovered request before the cache answers, so that two requests cannot both be uncovered. */
  function attempt(
    userId: string,
    reserve: TextReserve,
  ): DayReservation | undefined | Promise<DayReservation | undefined> {
    const hasUncovered = users.get(userId)?.hasUncovered === true
    const amountMicros = coverAllButOne(reserve, { hasUncovered })
    const pending = days.reserve(userId, amountMicros)
    if (pending === undefined) return undefined
    const held = { userId, amountMicros, isUncovered: isUncovered(reserve, amountMicros) }
    began(held)
    if (!(pending instanceof Promise)) return { ...pending, isUncovered: held.isUncovered }
    return pending.then(
      (reservation) => {
        if (reservation === undefined) ended(held)
        return reservation && { ...reservation, isUncovered: held.isUncovered }
      },
      (apiError: unknown) => {
        ended(held)
        throw apiError
      },
    )
  }

  function wait(userId: string, reserve: TextReserve): Promise<DayReservation | undefined> {
    const user = userOf(userId)
    if (user.waiters.length >= WAITING_MAX) throw inUse()
    return new Promise((reserved, refused) => {
      const timer = setTimeout(() => {
        take(user, waiter)?.refused(inUse())
        forgetWhenDone(userId, user)
      }, patienceMs)
      timer.unref()
      const waiter: DayWaiter = { reserve, reserved, refused, timer }
      user.waiters.push(waiter)
    })
  }

  function userOf(userId: string): UserInFlight {
    const known = users.get(userId)
    if (known !== undefined) return known
    const user: UserInFlight = { hasUncovered: false, reservedMicros: 0, waiters: [], isServing: false }
    users.set(userId, user)
    return user
  }

  function began({ userId, amountMicros, isUncovered: isNowUncovered }: HeldDay): void {
    const user = userOf(userId)
    user.reservedMicros += amountMicros
    if (isNowUncovered) user.hasUncovered = true
  }

  function ended(held: HeldDay | undefined): void {
    const user = held && users.get(held.userId)
    if (held === undefined || user === undefined) return
    user.reservedMicros -= held.amountMicros
    if (held.isUncovered === true) user.hasUncovered = false
    if (user.waiters.length > 0) void serve(held.userId)
    else forgetWhenDone(held.userId, user)
  }

  /** Requests are served in order. A request that still finds no room stays the first in the queue. */
  async function serve(userId: string): Promise<void> {
    const user = userOf(userId)
    if (user.isServing) return
    user.isServing = true
    for (let first = user.waiters[0]; first !== undefined; first = user.waiters[0]) {
      const beforeMicros = user.reservedMicros
      try {
        await hand(first, await attempt(userId, first.reserve))
      } catch (apiError) {
        if (!canWait(apiError, first.reserve, user.reservedMicros)) take(user, first)?.refused(apiError)
        else if (user.reservedMicros >= beforeMicros) break
      }
    }
    user.isServing = false
    forgetWhenDone(userId, user)

    /** The waiter may have timed out during the call. */
    async function hand(waiter: DayWaiter, reservation: DayReservation | undefined): Promise<void> {
      const taken = take(user, waiter)
      if (taken !== undefined) taken.reserved(reservation)
      else if (reservation !== undefined) await days.letGo(reservation).finally(() => ended(reservation))
    }
  }

  function forgetWhenDone(userId: string, user: UserInFlight): void {
    const isInUse = user.hasUncovered || user.reservedMicros > 0 || user.waiters.length > 0 || user.isServing
    if (!isInUse && users.get(userId) === user) users.delete(userId)
  }
}

type HeldDay = Pick<DayReservation, 'userId' | 'amountMicros' | 'isUncovered'>

function take(user: UserInFlight, waiter: DayWaiter): DayWaiter | undefined {
  const index = user.waiters.indexOf(waiter)
  if (index === -1) return undefined
  user.waiters.splice(index, 1)
  clearTimeout(waiter.timer)
  return waiter
}

/** Waiting can help only if the request fits once the running requests have freed their reservations. */
function canWait(apiError: unknown, { reserveMicros }: TextReserve, othersMicros: number): boolean {
  if (!(apiError instanceof OverDay) || othersMicros === 0) return false
  return apiError.leftMicros + othersMicros >= reserveMicros
}

function inUse(): ApiError {
  return new ApiError('funds_in_use', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
