import type { Micros } from './micros.ts'
import type { TextReserve } from './reserve-for-text.ts'

/**
 * Bounds the overspending of a balance or of a day's limit. On a replica, all requests of a balance or limit except one
 * reserve their maximum cost. The exception reserves its probable cost, so that a small balance or limit can be spent.
 */
export function coverAllButOne(request: TextReserve, { hasUncovered }: { hasUncovered: boolean }): Micros {
  return hasUncovered ? request.possibleMicros : request.reserveMicros
}

/** Whether a request with this amount set aside can cost more. */
export function isUncovered({ possibleMicros }: TextReserve, setAsideMicros: number): boolean {
  return setAsideMicros < possibleMicros
}
