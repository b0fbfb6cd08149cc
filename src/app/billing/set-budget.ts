import { type Calendar, monthOf } from '../../domain/limits/calendar-day.ts'
import type { ApiKeyStore, OrganizationStore } from '../../ports/tenants.ts'
import { noneToChange, requireRow } from '../access/no-such.ts'
import { announceKeyChange } from '../access/revoke-key.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'

/** A budget of null removes the budget. Earlier costs of this month count. */
export function setBudget(
  input: AuditTools &
    Pick<Runtime, 'cache' | 'log'> & {
      organizations: OrganizationStore
      apiKeys: Pick<ApiKeyStore, 'setBudget' | 'findBudget'>
      calendar: Calendar
    },
): Pick<Operator, 'setBudget' | 'showBudget' | 'setKeyBudget' | 'showKeyBudget'> {
  const { organizations, apiKeys, calendar, cache, log, ...tools } = input
  const month = () => monthOf(calendar.dayAt(tools.clock.nowMs()))
  return {
    async setBudget({ id, monthlyBudgetMicros, warnPercent }) {
      const detail = { monthly_budget_micros: monthlyBudgetMicros, warn_at_percent: warnPercent }
      const act = { action: 'organization.budget', organizationId: id, subject: id, detail }
      const change = { id, month: month(), monthlyBudgetMicros, warnPercent }
      const budget = await organizations.setBudget(change, draftAudit(act, tools))
      if (budget === undefined) throw noneToChange('organization', id)
      await announceQuotaChange({ kind: 'organization', id }, { cache, log })
      return budget
    },
    async showBudget(id) {
      return requireRow(await organizations.findBudget({ id, month: month() }), 'organization', id)
    },
    async setKeyBudget({ id, monthlyBudgetMicros }) {
      const detail = { monthly_budget_micros: monthlyBudgetMicros }
      const act = { action: 'key.budget', organizationId: null, subject: id, detail }
      const change = { id, month: month(), monthlyBudgetMicros }
      const changed = requireRow(await apiKeys.setBudget(change, draftAudit(act, tools)), 'key', id)
      const { digest, ...budget } = changed
      await announceKeyChange({ id, digest }, { cache, log })
      await announceQuotaChange({ kind: 'organization', id: budget.organizationId }, { cache, log })
      return budget
    },
    async showKeyBudget(id) {
      return requireRow(await apiKeys.findBudget({ id, month: month() }), 'key', id)
    },
  }
}
