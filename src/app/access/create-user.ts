import type { Clock } from '../../ports/clock.ts'
import type { NewId } from '../../ports/ids.ts'
import type { NewUser, UserStore } from '../../ports/tenants.ts'
import type { Operator } from '../operator.ts'
import { noSuch } from './no-such.ts'

export function createUser({
  users,
  ...tools
}: {
  users: UserStore
  newId: NewId
  clock: Clock
}): Operator['createUser'] {
  return async (command) => {
    const row = draftUser(command, tools)
    if (!(await users.create(row))) throw noSuch('organization', command.organizationId)
    return { ...row, maxDailyUserLimit: null, enableLimit: false }
  }
}

export function draftUser(
  command: Parameters<Operator['createUser']>[0],
  { newId, clock }: { newId: NewId; clock: Clock },
): NewUser {
  return { id: newId('usr'), ...command, createdAtMs: clock.nowMs() }
}
