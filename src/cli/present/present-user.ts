import type { User } from '../../domain/access/organization.ts'
import { presentTime } from './format-duration.ts'

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
