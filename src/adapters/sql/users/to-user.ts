import type { Selectable } from 'kysely'
import type { User } from '../../../domain/access/user.ts'
import type { Tables } from '../tables.ts'
import { toDecimalString } from './decimal-string.ts'

export const USER_COLUMNS = [
  'id',
  'organization_id',
  'name',
  'max_daily_user_limit',
  'enable_limit',
  'created_at_ms',
] as const

export function toUser(row: Selectable<Tables['users']>): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    maxDailyUserLimit: row.max_daily_user_limit === null ? null : toDecimalString(row.max_daily_user_limit),
    enableLimit: Boolean(row.enable_limit),
    createdAtMs: row.created_at_ms,
  }
}
