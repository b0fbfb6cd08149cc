export const CALLBACK_STATES = ['pending', 'delivered', 'given-up'] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

/** Delay after a failed attempt, by the number of attempts left; of three: 1 s, then 3 s. */
const DELAYS_MS: Readonly<Record<number, number>> = { 2: 1_000, 1: 3_000 }

export type CallbackOutcome =
  | { outcome: 'delivered' | 'given-up'; delayMs: null }
  | { outcome: 'again'; delayMs: number }

/**
 * Decides the outcome of an attempt at a callback. 2xx is delivered. 3xx and 4xx are final; after 5xx or no answer another
 * attempt may succeed.
 */
export function callbackOutcome(input: {
  /** null when no answer came. */
  status: number | null
  /** Whether another attempt could help where no answer came. */
  mayBeRepeated: boolean
  attemptsLeft: number
}): CallbackOutcome {
  const { status, mayBeRepeated, attemptsLeft } = input
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered', delayMs: null }
  const canRetry = status === null ? mayBeRepeated : status >= 500
  const delayMs = DELAYS_MS[attemptsLeft]
  return canRetry && delayMs !== undefined
    ? { outcome: 'again', delayMs }
    : { outcome: 'given-up', delayMs: null }
}

/** Number of attempts at a callback, and again each time an operator resends it. */
export const CALLBACK_ATTEMPTS_MAX = 3
