import { userJson } from '../../../app/views/tenants.ts'
import { formatTable } from '../../present/format-table.ts'
import { userRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const userList: Verb = {
  path: 'user list',
  usage: '--org <id> [--json]',
  summary: 'List the users of an organization with their daily limits.',
  example: 'sluice user list --org org_019a2b3c',
  next: 'sluice user limit <id> --daily-usd 5 --enable',
  json: true,
  define(command, { operate, print }) {
    command.requiredOption('--org <id>', 'the organization').action(({ org }: { org: string }) =>
      operate(async (operator) => {
        const users = await operator.listUsers(org)
        print({
          json: users.map(userJson),
          text: formatTable(users.map(userRow), {
            none: `No user yet. Make one: sluice user create --org ${org}`,
          }),
        })
      }),
    )
  },
}
