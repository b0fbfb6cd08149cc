import { ApiError } from '../../domain/api-error.ts'
import { type Micros, micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import { ERRORS } from '../../domain/errors.ts'
import type { Calendar } from '../../domain/limits/calendar-day.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RefusalCode } from './account.ts'

export interface BudgetTime {
  calendar: Pick<Calendar, 'dayAt' | 'endOfMonth'>
  clock: Pick<Clock, 'nowMs'>
}

/** Maximum Retry-After: before the month ends, held money may return, or an operator may raise the budget. */
const BUDGET_RETRY_MS_MAX = 3_600_000

/** Possible cost of a request, and the available money; left out where that is not known. */
export interface Shortage {
  neededMicros: Micros
  availableMicros?: Micros | undefined
}

/** Makes the error for refused money. `budget_exceeded` asks to retry in an hour, or earlier if the month ends earlier. */
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

/** If the balance has grown since the refusal, the figures would contradict the refusal, and are left out. */
function tooLittle({ neededMicros, availableMicros = neededMicros }: Shortage): ApiError {
  const missingMicros = micros(neededMicros - availableMicros)
  if (missingMicros <= 0) return new ApiError('insufficient_balance')
  const [needed, available, missing] = [neededMicros, availableMicros, missingMicros].map(formatUsdDecimal)
  return new ApiError('insufficient_balance', {
    message: `${ERRORS.insufficient_balance.message} The request needs ${needed} USD, and ${available} USD is available: ${missing} USD is missing. An operator adds it: sluice credit add --org <id> --usd ${missing}`,
  })
}
