import type { OrganizationStore, UserStore } from '../../ports/tenants.ts'
import { type AuditTools, draftAudit } from '../draft-audit.ts'
import { announceQuotaChange } from '../limits/sync/invalidations.ts'
import type { Operator } from '../operator.ts'
import type { Runtime } from '../runtime.ts'
import { noneToChange } from './no-such.ts'

type DisableTenant = Pick<
  Operator,
  'disableOrganization' | 'enableOrganization' | 'disableUser' | 'enableUser'
>

/** Money, keys and running videos stay unchanged. */
export function disableTenant(
  input: AuditTools &
    Pick<Runtime, 'cache' | 'log'> & {
      organizations: OrganizationStore
      users: UserStore
    },
): DisableTenant {
  const { organizations, users, cache, log, ...tools } = input
  return {
    disableOrganization: (id) => changeOrganization(id, 'disable'),
    enableOrganization: (id) => changeOrganization(id, 'enable'),
    disableUser: (id) => changeUser(id, 'disable'),
    enableUser: (id) => changeUser(id, 'enable'),
  }

  async function changeOrganization(id: string, verb: 'disable' | 'enable') {
    const act = { action: `organization.${verb}`, organizationId: id, subject: id, detail: {} }
    const organization = await organizations.setDisabled(changeOf(id, verb), draftAudit(act, tools))
    if (organization === undefined) throw noneToChange('organization', id)
    await announceQuotaChange({ kind: 'organization', id }, { cache, log })
    return organization
  }

  async function changeUser(id: string, verb: 'disable' | 'enable') {
    const act = { action: `user.${verb}`, organizationId: null, subject: id, detail: {} }
    const user = await users.setDisabled(changeOf(id, verb), draftAudit(act, tools))
    if (user === undefined) throw noneToChange('user', id)
    await announceQuotaChange({ kind: 'user', id }, { cache, log })
    return user
  }

  function changeOf(id: string, verb: 'disable' | 'enable') {
    return { id, disabledAtMs: verb === 'disable' ? tools.clock.nowMs() : null }
  }
}
