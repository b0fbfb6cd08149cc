import { Option } from 'commander'
import { organizationJson } from '../../../app/views/tenants.ts'
import { parseName, parseRpmOrNone } from '../../parse/options.ts'
import { formatTable } from '../../present/format-table.ts'
import { organizationRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

interface Options {
  name?: string
  prepaid?: true
  postpaid?: true
  rpm?: number | 'none'
  eventsUrl?: string
}

export const orgUpdate: Verb = {
  path: 'org update',
  usage:
    '<id> [--name <name>] [--prepaid | --postpaid] [--rpm <n> | --rpm none] [--events-url <url> | --events-url none] [--json]',
  summary:
    'Rename an organization, change how it pays, its requests per minute, or where it is told of events.',
  example: 'sluice org update org_019a2b3c --name "Acme Ltd" --rpm 600',
  next: 'sluice org show <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the organization')
      .option('--name <name>', 'its new name', parseName)
      .addOption(
        new Option(
          '--prepaid',
          'it spends what was paid in before; its balance must cover what is held',
        ).conflicts('postpaid'),
      )
      .option('--postpaid', 'it spends first and pays later')
      .option(
        '--rpm <n>',
        'requests per minute, all its keys together; none: no limit of its own',
        parseRpmOrNone,
      )
      .option(
        '--events-url <url>',
        'an HTTPS address that is told when a verified person takes the consent back; none: nowhere',
      )
      .action(async (id: string, { name, prepaid, postpaid, rpm, eventsUrl }: Options) => {
        if ([name, prepaid, postpaid, rpm, eventsUrl].every((option) => option === undefined))
          command.error('say what to change: --name, --prepaid, --postpaid, --rpm or --events-url')
        await operate(async (operator) => {
          const organization = await operator.updateOrganization({
            id,
            ...(name !== undefined && { name }),
            ...(prepaid && { billing: 'prepaid' as const }),
            ...(postpaid && { billing: 'postpaid' as const }),
            ...(rpm !== undefined && { requestsPerMinute: rpm === 'none' ? null : rpm }),
            ...(eventsUrl !== undefined && { eventsUrl: eventsUrl === 'none' ? null : eventsUrl }),
          })
          print({
            json: organizationJson(organization),
            text: formatTable([organizationRow(organization)], { none: '' }),
          })
        })
      })
  },
}
