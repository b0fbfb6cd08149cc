import { present } from '../../../app/views/present.ts'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import type { Verb } from '../../verb.ts'

export const orgDisable: Verb = {
  path: 'org disable',
  usage: '<id> [--json]',
  summary:
    'Stop an organization: within 5 seconds all its keys get 403 organization_disabled, and its running streams end.',
  example: 'sluice org disable org_019a2b3c',
  next: 'sluice org enable <id>   lets it call again; its keys, users and balance stay as they are',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the organization').action((id: string) =>
      operate(async (operator) => {
        const organization = await operator.disableOrganization(id)
        print({
          json: present(ORGANIZATION, organization),
          text: `The organization ${id} is disabled. Its keys stop working everywhere within 5 seconds.`,
        })
      }),
    )
  },
}

export const orgEnable: Verb = {
  path: 'org enable',
  usage: '<id> [--json]',
  summary: 'Let a disabled organization call again.',
  example: 'sluice org enable org_019a2b3c',
  next: 'sluice org show <id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the organization').action((id: string) =>
      operate(async (operator) => {
        const organization = await operator.enableOrganization(id)
        print({
          json: present(ORGANIZATION, organization),
          text: `The organization ${id} is enabled. Its keys work again within 5 seconds.`,
        })
      }),
    )
  },
}
