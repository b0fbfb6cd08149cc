import type { Micros } from './micros.ts'
import type { TextReserve } from './reserve-for-text.ts'

/**
 * The rule that bounds what a balance or a day's limit can be overspent by: of the requests that run on one replica at its
 * expense all but one have everything set aside that they can cost. That one has only what it is likely to cost, so that a
 * small balance or limit can be used to its end.
 */
export function coverAllButOne(
  { reserveMicros, possibleMicros }: TextReserve,
  { hasUncovered }: { hasUncovered: boolean },
): Micros {
  return hasUncovered ? possibleMicros : reserveMicros
}

/** Whether a request with so much set aside can cost more. */
export function isUncovered({ possibleMicros }: TextReserve, setAsideMicros: number): boolean {
  return setAsideMicros < possibleMicros
}
