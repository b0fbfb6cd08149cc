import { Option } from 'commander'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import {
  KEEP_MEDIA,
  KEEP_REPLIES,
  type KeepMedia,
  type KeepReplies,
  RECORD_BODIES,
  type RecordBodies,
} from '../../../domain/access/organization.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { CALLBACK_RETRIES, type CallbackRetries } from '../../../domain/callbacks/callback-retry.ts'
import { parseBudget, parseName, parseRpmOrNone } from '../../parse/options.ts'
import { formatTable } from '../../present/format-table.ts'
import { organizationDetails } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'

interface OrgUpdateOptions {
  name?: string
  prepaid?: true
  postpaid?: true
  rpm?: number | 'none'
  eventsUrl?: string
  keepReplies?: KeepReplies | 'none'
  callbackRetries?: CallbackRetries
  recordBodies?: RecordBodies
  keepMedia?: KeepMedia
  lowBalanceUsd?: Micros | 'none'
}

export const orgUpdate: Verb = {
  path: 'org update',
  usage:
    '<id> [--name <name>] [--prepaid | --postpaid] [--rpm <n> | --rpm none] [--events-url <url> | --events-url none] [--keep-replies default|asked|none] [--keep-media on|off] [--callback-retries default|extended] [--record-bodies off|errors|all] [--low-balance-usd <usd> | --low-balance-usd none] [--json]',
  summary:
    'Rename an organization, change how it pays, its requests per minute, where it is told of events, which replies and videos are kept, how long callbacks are tried, or which bodies are recorded.',
  example: 'sluice org update org_019a2b3c --name "Acme Ltd" --rpm 600',
  next: 'sluice org show <id>',
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
        'an HTTPS address that gets the events of the organization; none: nowhere',
      )
      .addOption(
        new Option(
          '--keep-replies <which>',
          'default: replies of POST /v1/responses are kept unless store is false; asked: only with store: true; none: as REPLIES_KEPT_BY_DEFAULT says',
        ).choices([...KEEP_REPLIES, 'none']),
      )
      .addOption(
        new Option(
          '--keep-media <on|off>',
          'off: its finished videos are not copied, where MEDIA_STORE is set; those that were copied stay',
        ).choices(KEEP_MEDIA),
      )
      .addOption(
        new Option(
          '--callback-retries <which>',
          'default: a callback is tried three times; extended: for 24 hours, also after 408, 425 and 429',
        ).choices(CALLBACK_RETRIES),
      )
      .addOption(
        new Option(
          '--record-bodies <which>',
          'which requests and replies are recorded, encrypted and for BODIES_KEPT_HOURS: none, those that failed, or all',
        ).choices(RECORD_BODIES),
      )
      .option(
        '--low-balance-usd <usd>',
        'the event balance.low is sent when the balance falls below these US dollars; none: never',
        parseBudget,
      )
      .action(async (id: string, options: OrgUpdateOptions) => {
        if (Object.values(options).every((option) => option === undefined))
          command.error(
            'say what to change: --name, --prepaid, --postpaid, --rpm, --events-url, --keep-replies, --keep-media, --callback-retries, --record-bodies or --low-balance-usd',
          )
        const { prepaid, postpaid } = options
        await operate(async (operator) => {
          const organization = await operator.updateOrganization({
            id,
            name: options.name,
            billing: prepaid ? 'prepaid' : postpaid && 'postpaid',
            requestsPerMinute: orNull(options.rpm),
            eventsUrl: orNull(options.eventsUrl),
            keepReplies: orNull(options.keepReplies),
            keepMedia: options.keepMedia,
            callbackRetries: options.callbackRetries,
            recordBodies: options.recordBodies,
            lowBalanceMicros: orNull(options.lowBalanceUsd),
          })
          print({
            json: ORGANIZATION.present(organization),
            text: formatTable([organizationDetails(organization)], { none: '' }),
          })
        })
      })
  },
}

/** The word `none` takes a value away; an option that was left out changes nothing. */
function orNull<Value>(option: Value | 'none' | undefined): Value | null | undefined {
  return option === 'none' ? null : option
}
