import { type Calendar, monthOf } from '../../domain/limits/calendar-day.ts'
import type { OrganizationStore } from '../../ports/tenants.ts'
import type { Runtime } from '../runtime.ts'

/** Returns money that was leased beyond a budget, and warns once a month that an organization reached its threshold. */
export function warnOfBudgets(
  input: Pick<Runtime, 'clock' | 'log' | 'metrics'> & {
    organizations: Pick<OrganizationStore, 'claimBudgetWarnings' | 'listOverBudget'>
    calendar: Calendar
    /** Returns money that was leased under a larger budget and must not be spent. */
    returnUnused(organizationId: string): void
  },
): () => Promise<void> {
  const { organizations, calendar, clock, log, metrics, returnUnused } = input
  return async () => {
    const month = monthOf(calendar.dayAt(clock.nowMs()))
    for (const id of await organizations.listOverBudget({ month })) returnUnused(id)
    for (const { organizationId, usedMicros, monthlyBudgetMicros } of await organizations.claimBudgetWarnings(
      { month, atMs: clock.nowMs() },
    )) {
      metrics.budgetWarned()
      log.warn('budget.threshold_reached', {
        organizationId,
        reason: `${usedMicros} of ${monthlyBudgetMicros} micros are spent in ${month}`,
      })
    }
  }
}
