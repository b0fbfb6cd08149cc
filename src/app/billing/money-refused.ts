import { ApiError } from '../../domain/api-error.ts'
import type { Calendar } from '../../domain/limits/calendar-day.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RefusalCode } from './account.ts'

/** The months of budgets, and the time. */
export interface BudgetTime {
  calendar: Pick<Calendar, 'dayAt' | 'endOfMonth'>
  clock: Pick<Clock, 'nowMs'>
}

/** A spent budget may be free again before its month ends: what is held may be given back, and an operator may raise it. */
const BUDGET_RETRY_MS_MAX = 3_600_000

/** Why money was not set aside. The next month has a budget of its own: `Retry-After` of a spent one is its begin at the latest. */
export function moneyRefused(
  code: RefusalCode | 'billing_unavailable',
  { calendar, clock }: BudgetTime,
): ApiError {
  if (code !== 'budget_exceeded') return new ApiError(code)
  const nowMs = clock.nowMs()
  const leftMs = calendar.endOfMonth(calendar.dayAt(nowMs)) - nowMs
  return new ApiError(code, { retryAfterSeconds: Math.min(leftMs, BUDGET_RETRY_MS_MAX) / 1_000 })
}
