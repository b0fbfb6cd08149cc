import { present } from '../../../app/views/present.ts'
import { CREDIT } from '../../../app/views/tenants.ts'
import { describeCredit } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

export const creditShow: Verb = {
  path: 'credit show',
  usage: '--org <id> [--json]',
  summary: 'Show the balance of an organization, and what is held of it for running work.',
  example: 'sluice credit show --org org_019a2b3c',
  next: 'sluice credit add --org <id> --usd 25',
  json: true,
  define(command, { operate, print }) {
    command.requiredOption('--org <id>', 'the organization').action(({ org }: { org: string }) =>
      operate(async (operator) => {
        const organization = await operator.showCredit(org)
        print({ json: present(CREDIT, organization), text: describeCredit(organization) })
      }),
    )
  },
}
