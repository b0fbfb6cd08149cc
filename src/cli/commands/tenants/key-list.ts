import { present } from '../../../app/views/present.ts'
import { KEY } from '../../../app/views/tenants.ts'
import { formatTable } from '../../present/format-table.ts'
import { keyRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const keyList: Verb = {
  path: 'key list',
  usage: '--org <id> [--json]',
  summary: 'List the keys of an organization, revoked ones too. The keys themselves are not kept.',
  example: 'sluice key list --org org_019a2b3c',
  next: 'sluice key revoke <id>',
  json: true,
  define(command, { operate, print }) {
    command.requiredOption('--org <id>', 'the organization').action(({ org }: { org: string }) =>
      operate(async (operator) => {
        const keys = await operator.listKeys(org)
        print({
          json: keys.map((row) => present(KEY, row)),
          text: formatTable(keys.map(keyRow), {
            none: `No key yet. Make one: sluice key create --org ${org} --user <id>`,
          }),
        })
      }),
    )
  },
}
