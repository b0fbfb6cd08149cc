import { presentTime } from '../../app/views/times.ts'
import type { ApiKey, KeyBudget } from '../../domain/access/api-key.ts'
import type { Organization, OrganizationBudget, User } from '../../domain/access/organization.ts'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsd } from './formats.ts'

export function organizationRow(organization: Organization): Record<string, string> {
  return {
    ID: organization.id,
    NAME: organization.name,
    BILLING: organization.billing,
    BALANCE: formatUsd(organization.balanceMicros),
    HELD: formatUsd(organization.heldMicros),
    'REQUESTS/MIN': organization.requestsPerMinute?.toString() ?? '-',
    CREATED: presentTime(organization.createdAtMs),
    STATE: organization.disabledAtMs === null ? 'enabled' : 'disabled',
  }
}

/** Adds facts that do not fit into the list of organizations. */
export function organizationDetails(organization: Organization): Record<string, string> {
  return {
    ...organizationRow(organization),
    'REPLIES KEPT': organization.keepReplies ?? '-',
    'BODIES RECORDED': organization.recordBodies,
    'VIDEOS KEPT': organization.keepMedia ?? '-',
  }
}

export function userRow(user: User): Record<string, string> {
  return {
    ID: user.id,
    NAME: user.name || '-',
    'DAILY LIMIT': describeLimit(user),
    CREATED: presentTime(user.createdAtMs),
    STATE: user.disabledAtMs === null ? 'enabled' : 'disabled',
  }
}

export function describeLimit({ maxDailyUserLimit, enableLimit }: User): string {
  if (maxDailyUserLimit === null) return 'none'
  return enableLimit ? `${maxDailyUserLimit} USD a day` : `off (${maxDailyUserLimit} USD a day)`
}

export function keyRow(apiKey: ApiKey): Record<string, string> {
  return {
    ID: apiKey.id,
    PREFIX: apiKey.prefix,
    USER: apiKey.userId,
    NAME: apiKey.name || '-',
    'REQUESTS/MIN': apiKey.requestsPerMinute?.toString() ?? '-',
    CREATED: presentTime(apiKey.createdAtMs),
    REVOKED: apiKey.revokedAtMs === null ? '-' : presentTime(apiKey.revokedAtMs),
    EXPIRES: apiKey.expiresAtMs === null ? '-' : presentTime(apiKey.expiresAtMs),
    MODELS: apiKey.allowedModels?.join(',') ?? 'all',
    'BUDGET/MONTH': apiKey.monthlyBudgetMicros === null ? '-' : formatUsd(apiKey.monthlyBudgetMicros),
  }
}

/** Shows the available money of a prepaid organization; a postpaid one may spend beyond its balance. */
export function describeCredit({ id, billing, balanceMicros, heldMicros }: Organization): string {
  const [balance, held] = [formatUsd(balanceMicros), formatUsd(heldMicros)]
  const start = `The balance of ${id} is ${balance}, of which ${held} is held`
  if (billing === 'postpaid') return `${start}. It pays later: a balance below zero is its debt.`
  return `${start}; ${formatUsd(micros(balanceMicros - heldMicros))} can be spent.`
}

export function describeBudget(budget: OrganizationBudget): string {
  const { organizationId: id, month, monthlyBudgetMicros, warnPercent, usedMicros, heldMicros } = budget
  const spent = `${formatUsd(usedMicros)} was charged in ${month}, and ${formatUsd(heldMicros)} is held`
  if (monthlyBudgetMicros === null) return `${id} has no budget. ${spent}.`
  return `${id} may spend ${formatUsd(monthlyBudgetMicros)} a month; the warning comes at ${warnPercent} %. ${spent}.`
}

export function describeKeyBudget(budget: KeyBudget): string {
  const { keyId: id, month, monthlyBudgetMicros, usedMicros, heldMicros } = budget
  if (monthlyBudgetMicros === null) return `${id} has no budget of its own.`
  return `${id} may spend ${formatUsd(monthlyBudgetMicros)} a month. ${formatUsd(usedMicros)} was charged in ${month}, and ${formatUsd(heldMicros)} is held.`
}
