import type { ApiKey, KeyBudget } from '../../domain/access/api-key.ts'
import type { OperatorAccount } from '../../domain/access/operator-account.ts'
import type { Organization, OrganizationBudget, User } from '../../domain/access/organization.ts'
import { presentTime, timeOrNull } from './times.ts'

export function organizationJson(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    billing: organization.billing,
    balance_micros: organization.balanceMicros,
    held_micros: organization.heldMicros,
    requests_per_minute: organization.requestsPerMinute,
    created_at: presentTime(organization.createdAtMs),
    disabled_at: timeOrNull(organization.disabledAtMs),
    events_url: organization.eventsUrl,
    keep_replies: organization.keepReplies,
  }
}

export function userJson(user: User) {
  return {
    id: user.id,
    organization_id: user.organizationId,
    name: user.name,
    max_daily_user_limit: user.maxDailyUserLimit === null ? null : Number(user.maxDailyUserLimit),
    enable_limit: user.enableLimit,
    created_at: presentTime(user.createdAtMs),
    disabled_at: timeOrNull(user.disabledAtMs),
  }
}

export function keyJson(apiKey: ApiKey) {
  return {
    id: apiKey.id,
    prefix: apiKey.prefix,
    organization_id: apiKey.organizationId,
    user_id: apiKey.userId,
    name: apiKey.name,
    requests_per_minute: apiKey.requestsPerMinute,
    created_at: presentTime(apiKey.createdAtMs),
    revoked_at: timeOrNull(apiKey.revokedAtMs),
    expires_at: timeOrNull(apiKey.expiresAtMs),
    models: apiKey.allowedModels,
    monthly_budget_micros: apiKey.monthlyBudgetMicros,
  }
}

export function creditJson({ id, balanceMicros, heldMicros }: Organization) {
  return { organization_id: id, balance_micros: balanceMicros, held_micros: heldMicros }
}

export function operatorJson({ id, name, role, prefix, createdAtMs, revokedAtMs }: OperatorAccount) {
  return {
    id,
    name,
    role,
    prefix,
    created_at: presentTime(createdAtMs),
    revoked_at: timeOrNull(revokedAtMs),
  }
}

export function budgetJson(budget: OrganizationBudget) {
  return {
    organization_id: budget.organizationId,
    monthly_budget_micros: budget.monthlyBudgetMicros,
    warn_at_percent: budget.warnPercent,
    month: budget.month,
    used_micros: budget.usedMicros,
    held_micros: budget.heldMicros,
  }
}

export function keyBudgetJson(budget: KeyBudget) {
  return {
    key_id: budget.keyId,
    organization_id: budget.organizationId,
    monthly_budget_micros: budget.monthlyBudgetMicros,
    month: budget.month,
    used_micros: budget.usedMicros,
    held_micros: budget.heldMicros,
  }
}
