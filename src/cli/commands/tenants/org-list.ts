import { present } from '../../../app/views/present.ts'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import { formatTable } from '../../present/format-table.ts'
import { organizationRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const orgList: Verb = {
  path: 'org list',
  usage: '[--json]',
  summary: 'List the organizations, oldest first.',
  example: 'sluice org list',
  next: 'sluice org show <id>',
  json: true,
  define(command, { operate, print }) {
    command.action(() =>
      operate(async (operator) => {
        const organizations = await operator.listOrganizations()
        print({
          json: organizations.map((row) => present(ORGANIZATION, row)),
          text: formatTable(organizations.map(organizationRow), {
            none: 'There is no organization yet. "sluice org create --help" shows how to make one.',
          }),
        })
      }),
    )
  },
}
