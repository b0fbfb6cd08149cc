export const CALLBACK_STATES = ['pending', 'delivered', 'given-up'] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

/** How long after a failed attempt the next one follows, by how many are left after it; of three: 1 s, then 3 s. */
const DELAYS_MS: Readonly<Record<number, number>> = { 2: 1_000, 1: 3_000 }

export type CallbackOutcome =
  | { outcome: 'delivered' | 'given-up'; delayMs: null }
  | { outcome: 'again'; delayMs: number }

/**
 * What an attempt at a callback has come to. 2xx is delivered. A receiver that says 3xx or 4xx has decided; one that says
 * 5xx or nothing may do better next time.
 */
export function judgeCallback({
  status,
  mayBeRepeated,
  attemptsLeft,
}: {
  /** null when no answer came. */
  status: number | null
  /** Whether trying again could help where no answer came. */
  mayBeRepeated: boolean
  attemptsLeft: number
}): CallbackOutcome {
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered', delayMs: null }
  const isWorthIt = status === null ? mayBeRepeated : status >= 500
  const delayMs = DELAYS_MS[attemptsLeft]
  return isWorthIt && delayMs !== undefined
    ? { outcome: 'again', delayMs }
    : { outcome: 'given-up', delayMs: null }
}

/** How often a callback is tried before it is given up, and again each time an operator resends it. */
export const CALLBACK_ATTEMPTS_MAX = 3
