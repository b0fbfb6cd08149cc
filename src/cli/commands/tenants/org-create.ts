import { Option } from 'commander'
import { present } from '../../../app/views/present.ts'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import { parseName, parseRequestsPerMinute } from '../../parse/options.ts'
import { oneLine } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

interface OrgCreateOptions {
  name: string
  prepaid?: true
  postpaid?: true
  rpm?: number
}

export const orgCreate: Verb = {
  path: 'org create',
  usage: '--name <name> (--prepaid | --postpaid) [--rpm <n>] [--json]',
  summary: 'Make an organization: a customer that owns users, keys and one balance.',
  example: 'sluice org create --name "Acme Ltd" --prepaid',
  next: 'sluice user create --org <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .requiredOption('--name <name>', 'its name, for people', parseName)
      .addOption(new Option('--prepaid', 'it spends what was paid in before').conflicts('postpaid'))
      .option('--postpaid', 'it spends first and pays later')
      .option('--rpm <n>', 'requests per minute, all its keys together', parseRequestsPerMinute)
      .action(async ({ name, prepaid, postpaid, rpm }: OrgCreateOptions) => {
        if (!prepaid && !postpaid) command.error('say how it pays: --prepaid or --postpaid')
        await operate(async (operator) => {
          const { organization, webhookSecret } = await operator.createOrganization({
            name,
            billing: prepaid ? 'prepaid' : 'postpaid',
            requestsPerMinute: rpm ?? null,
          })
          print({
            json: { ...present(ORGANIZATION, organization), webhook_secret: webhookSecret },
            text: [
              `Made the ${organization.billing} organization ${organization.id} (${oneLine(organization.name)}).`,
              `Its callbacks are signed with ${webhookSecret}`,
              `Next: sluice user create --org ${organization.id}`,
            ].join('\n'),
          })
        })
      })
  },
}
