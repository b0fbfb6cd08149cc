import { ApiError } from '../../domain/api-error.ts'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import { ERRORS } from '../../domain/errors.ts'
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

/** What a request may cost, and what the balance has for it; left out where that is not known. */
export interface Shortage {
  neededMicros: Micros
  availableMicros?: Micros | undefined
}

/** Why money was not set aside. The next month has a budget of its own: `Retry-After` of a spent one is its begin at the latest. */
export function moneyRefused(
  code: RefusalCode | 'billing_unavailable',
  { calendar, clock }: BudgetTime,
  shortage?: Shortage,
): ApiError {
  if (code === 'insufficient_balance' && shortage !== undefined) return tooLittle(shortage)
  if (code !== 'budget_exceeded') return new ApiError(code)
  const nowMs = clock.nowMs()
  const leftMs = calendar.endOfMonth(calendar.dayAt(nowMs)) - nowMs
  return new ApiError(code, { retryAfterSeconds: Math.min(leftMs, BUDGET_RETRY_MS_MAX) / 1_000 })
}

/** The figures are left out where the balance has grown since the refusal: they would contradict it. */
function tooLittle({ neededMicros, availableMicros = neededMicros }: Shortage): ApiError {
  const missingMicros = micros(neededMicros - availableMicros)
  if (missingMicros <= 0) return new ApiError('insufficient_balance')
  const [needed, available, missing] = [neededMicros, availableMicros, missingMicros].map(formatUsdDecimal)
  return new ApiError('insufficient_balance', {
    message: `${ERRORS.insufficient_balance.message} The request needs ${needed} USD, and ${available} USD is available: ${missing} USD is missing.`,
  })
}
