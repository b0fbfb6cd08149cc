/** Shares of the bare pipe, by CPU per request. */
export const GOAL_PASSED = 0.6
export const GOAL_CONVERTED = 0.4
/** How many times less CPU than the other gateway. */
export const GOAL_OTHER = 4
export const GOAL_ADDED_MS = 0.6
export const GOAL_RESIDENT_MB = 250
export const GOAL_BLOCKED_MS = 60
export const GOAL_MONEY_MS = 0.1

export function verdict(isReached: boolean): string {
  return isReached ? 'reached' : 'MISSED'
}
