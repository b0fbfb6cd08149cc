import type { UserStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { noneToChange } from './no-such.ts'

export function setUserLimit(
  input: AuditTools & Pick<Runtime, 'cache' | 'log'> & { users: UserStore },
): Operator['setUserLimit'] {
  const { users, cache, log, ...tools } = input
  return async (command) => {
    const { id, maxDailyUserLimit, enableLimit } = command
    const detail = { max_daily_user_limit: maxDailyUserLimit, enable_limit: enableLimit }
    const act = { action: 'user.limit', organizationId: null, subject: id, detail }
    const user = await users.setLimit(command, draftAudit(act, tools))
    if (user === undefined) throw noneToChange('user', id)
    await announceQuotaChange({ kind: 'user', id }, { cache, log })
    return user
  }
}
