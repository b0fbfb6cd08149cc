export const CALLBACK_STATES = ['pending', 'delivered', 'given-up'] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

/** Delay after a failed attempt, by the number of attempts left: 1 s after the first, 3 s after the second of three. */
const DELAYS_MS: Readonly<Record<number, number>> = { 2: 1_000, 1: 3_000 }

export type CallbackOutcome =
  | { outcome: 'delivered' | 'given-up'; delayMs: null }
  | { outcome: 'again'; delayMs: number }

/** `default` is three attempts, `extended` a day of attempts. */
export const CALLBACK_RETRIES = ['default', 'extended'] as const
export type CallbackRetries = (typeof CALLBACK_RETRIES)[number]

export interface DeliveryResult {
  /** null when no answer came. */
  status: number | null
  /** Whether another attempt could help when no answer came. */
  mayBeRepeated: boolean
  attemptsLeft: number
  /** Delay that the receiver asked for, at most an hour. */
  retryAfterMs?: number | undefined
}

export type OutcomeRule = (result: DeliveryResult) => CallbackOutcome

/** Decides the outcome of an attempt: 2xx is delivered, 3xx and 4xx are final, the rest may be tried again. */
export const callbackOutcome: OutcomeRule = ({ status, mayBeRepeated, attemptsLeft }) => {
  if (isDelivered(status)) return DELIVERED
  const canRetry = status === null ? mayBeRepeated : status >= 500
  const delayMs = DELAYS_MS[attemptsLeft]
  return canRetry && delayMs !== undefined ? { outcome: 'again', delayMs } : GIVEN_UP
}

/** Number of attempts at a callback; each time it is resent, it gets as many again. */
export const CALLBACK_ATTEMPTS_MAX = 3

/** Delay after each failed attempt at a message that is retried for a day. Later attempts wait `LONG_DELAY_MS_MAX`. */
const LONG_DELAYS_MS = [1_000, 3_000, 10_000, 60_000, 300_000, 1_800_000]
export const LONG_DELAY_MS_MAX = 3_600_000
/** The delays between this many attempts add up to 23.6 hours; one more would exceed a day. */
export const LONG_ATTEMPTS_MAX = 30

/** Decides the outcome of an attempt at an event: retries for a day, unless the status is 410 or no retry can help. */
export const eventOutcome: OutcomeRule = ({ status, mayBeRepeated, attemptsLeft }) => {
  if (isDelivered(status)) return DELIVERED
  const canRetry = status === null ? mayBeRepeated : status !== 410
  return canRetry && attemptsLeft > 0
    ? { outcome: 'again', delayMs: longDelayMs(LONG_ATTEMPTS_MAX - attemptsLeft) }
    : GIVEN_UP
}

export const EXTENDED_MS = 24 * 3_600_000
/** Maximum number of attempts in `EXTENDED_MS`, reached only when receivers ask for short delays. */
export const EXTENDED_ATTEMPTS_MAX = 24 * 60
/** Shortest delay that a receiver can ask for, where the gateway's own delay is longer. */
const ASKED_MS_MIN = 60_000
const EXTENDED_STATUSES = [408, 425, 429]

/** Decides the outcome of an attempt at a callback with extended retries. `msLeft` is what is left of `EXTENDED_MS`. */
export function extendedOutcome(result: DeliveryResult, msLeft: number): CallbackOutcome {
  const { status, mayBeRepeated, attemptsLeft, retryAfterMs } = result
  if (isDelivered(status)) return DELIVERED
  const canRetry = status === null ? mayBeRepeated : status >= 500 || EXTENDED_STATUSES.includes(status)
  const pauseMs = longDelayMs(EXTENDED_ATTEMPTS_MAX - attemptsLeft)
  const delayMs =
    retryAfterMs === undefined
      ? pauseMs
      : Math.min(Math.max(retryAfterMs, Math.min(pauseMs, ASKED_MS_MIN)), LONG_DELAY_MS_MAX)
  return canRetry && attemptsLeft > 0 && delayMs <= msLeft ? { outcome: 'again', delayMs } : GIVEN_UP
}

/** Delay after a failed attempt at a message or a copy that is retried for a day. */
export function longDelayMs(attempt: number): number {
  return LONG_DELAYS_MS[attempt - 1] ?? LONG_DELAY_MS_MAX
}

const DELIVERED: CallbackOutcome = { outcome: 'delivered', delayMs: null }
const GIVEN_UP: CallbackOutcome = { outcome: 'given-up', delayMs: null }

function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}
