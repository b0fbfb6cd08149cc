import { present } from '../../../app/views/present.ts'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import { formatTable } from '../../present/format-table.ts'
import { organizationDetails } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const orgShow: Verb = {
  path: 'org show',
  usage: '<id> [--json]',
  summary: 'Show one organization with its balance and what is held of it.',
  example: 'sluice org show org_019a2b3c',
  next: 'sluice user list --org <id>   or   sluice key list --org <id>',
  json: true,
  define(command, { operate, print }) {
    command.argument('<id>', 'the organization').action((id: string) =>
      operate(async (operator) => {
        const organization = await operator.showOrganization(id)
        print({
          json: present(ORGANIZATION, organization),
          text: formatTable([organizationDetails(organization)], { none: '' }),
        })
      }),
    )
  },
}
