import type { NewUser, UserStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { noneToChange } from './no-such.ts'

export function createUser({ users, ...tools }: AuditTools & { users: UserStore }): Operator['createUser'] {
  return async (command) => {
    const row = draftUser(command, tools)
    const { id, organizationId, name } = row
    const act = { action: 'user.create', organizationId, subject: id, detail: { name } }
    if (!(await users.create(row, draftAudit(act, tools)))) throw noneToChange('organization', organizationId)
    return { ...row, maxDailyUserLimit: null, enableLimit: false, disabledAtMs: null }
  }
}

export function draftUser(
  command: Parameters<Operator['createUser']>[0],
  { newId, clock }: Pick<Runtime, 'clock' | 'newId'>,
): NewUser {
  return { id: newId('usr'), ...command, createdAtMs: clock.nowMs() }
}
