import type { ApiKey } from '../../domain/access/api-key.ts'
import type { Organization, User } from '../../domain/access/organization.ts'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsd, presentTime } from './formats.ts'

export function organizationJson(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    billing: organization.billing,
    balance_micros: organization.balanceMicros,
    held_micros: organization.heldMicros,
    requests_per_minute: organization.requestsPerMinute,
    created_at: presentTime(organization.createdAtMs),
  }
}

export function organizationRow(organization: Organization): Record<string, string> {
  return {
    ID: organization.id,
    NAME: organization.name,
    BILLING: organization.billing,
    BALANCE: formatUsd(organization.balanceMicros),
    HELD: formatUsd(organization.heldMicros),
    'REQUESTS/MIN': organization.requestsPerMinute?.toString() ?? '-',
    CREATED: presentTime(organization.createdAtMs),
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
  }
}

export function userRow(user: User): Record<string, string> {
  return {
    ID: user.id,
    NAME: user.name || '-',
    'DAILY LIMIT': describeLimit(user),
    CREATED: presentTime(user.createdAtMs),
  }
}

export function describeLimit({ maxDailyUserLimit, enableLimit }: User): string {
  if (maxDailyUserLimit === null) return 'none'
  return enableLimit ? `${maxDailyUserLimit} USD a day` : `off (${maxDailyUserLimit} USD a day)`
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
    revoked_at: apiKey.revokedAtMs === null ? null : presentTime(apiKey.revokedAtMs),
  }
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
  }
}

export function creditJson({ id, balanceMicros, heldMicros }: Organization) {
  return { organization_id: id, balance_micros: balanceMicros, held_micros: heldMicros }
}

/** A postpaid organization may spend beyond the balance, so what is left is shown for the others only. */
export function describeCredit({ id, billing, balanceMicros, heldMicros }: Organization): string {
  const [balance, held] = [formatUsd(balanceMicros), formatUsd(heldMicros)]
  const start = `The balance of ${id} is ${balance}, of which ${held} is held`
  if (billing === 'postpaid') return `${start}. It pays later: below zero is what it owes.`
  return `${start}; ${formatUsd(micros(balanceMicros - heldMicros))} can be spent.`
}
