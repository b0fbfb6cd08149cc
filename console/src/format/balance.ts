const DAY_MS = 86_400_000
/** Number of days whose spend predicts how long a balance lasts. */
export const PACE_DAYS = 7

interface Account {
  billing: string
  balance_micros: number
  held_micros: number
  low_balance_micros?: number | null
}

/** Whole days in UTC that end with today, because usage is kept by day. */
export function paceRange(nowMs: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(nowMs - (PACE_DAYS - 1) * DAY_MS), to: day(nowMs + DAY_MS) }
}

/**
 * Days that a prepaid balance lasts at the pace of the last days; undefined: nothing was spent, or the organization is
 * postpaid.
 */
export function daysLeft(account: Account, paceMicros: number): number | undefined {
  if (account.billing !== 'prepaid' || paceMicros <= 0) return undefined
  const available = Math.max(0, account.balance_micros - account.held_micros)
  return available / (paceMicros / PACE_DAYS)
}

/** Whether a prepaid balance ends within a week at this pace, or is below its own threshold. */
export function isLow(account: Account, paceMicros: number): boolean {
  const { low_balance_micros: threshold = null } = account
  if (account.billing !== 'prepaid') return false
  if (threshold !== null && account.balance_micros - account.held_micros < threshold) return true
  const days = daysLeft(account, paceMicros)
  return days !== undefined && days < PACE_DAYS
}
