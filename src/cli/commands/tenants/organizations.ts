import { Option } from 'commander'
import { ORGANIZATION } from '../../../app/views/tenants.ts'
import { parseName, parseRequestsPerMinute } from '../../parse/options.ts'
import { formatTable, oneLine } from '../../present/format-table.ts'
import { organizationDetails, organizationRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'
import { forAll, forOne, listing } from '../define-verb.ts'

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
            json: { ...ORGANIZATION.present(organization), webhook_secret: webhookSecret },
            text: [
              `Made the ${organization.billing} organization ${organization.id} (${oneLine(organization.name)}).`,
              `Its callbacks are signed with ${webhookSecret}`,
              ...(prepaid ? [`Pay in: sluice credit add --org ${organization.id} --usd 25`] : []),
              `Next: sluice user create --org ${organization.id}`,
            ].join('\n'),
          })
        })
      })
  },
}

export const orgList: Verb = {
  path: 'org list',
  summary: 'List the organizations, oldest first.',
  example: 'sluice org list',
  next: 'sluice org show <id>',
  define: forAll(async (operator) => {
    const none = 'There is no organization yet. "sluice org create --help" shows how to make one.'
    const organizations = await operator.listOrganizations()
    return listing(organizations, { json: ORGANIZATION.present, cells: organizationRow, none })
  }),
}

export const orgShow: Verb = {
  path: 'org show',
  summary: 'Show one organization with its balance and what is held of it.',
  example: 'sluice org show org_019a2b3c',
  next: 'sluice user list --org <id>   or   sluice key list --org <id>',
  define: forOne('<id>', 'the organization', async (operator, id) => {
    const organization = await operator.showOrganization(id)
    return {
      json: ORGANIZATION.present(organization),
      text: formatTable([organizationDetails(organization)], { none: '' }),
    }
  }),
}

export const orgSecret: Verb = {
  path: 'org secret',
  summary: 'Show the secret that signs the callbacks of an organization, or replace it.',
  example: 'sluice org secret org_019a2b3c --rotate',
  next: 'give it to the people who receive the callbacks; after --rotate they have 24 hours',
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the organization')
      .option('--rotate', 'make a new one; the old one stays valid for 24 hours more')
      .action((id: string, { rotate }: { rotate?: true }) =>
        operate(async (operator) => {
          const webhookSecret = rotate
            ? await operator.rotateWebhookSecret(id)
            : await operator.showWebhookSecret(id)
          print({ json: { id, webhook_secret: webhookSecret }, text: webhookSecret })
        }),
      )
  },
}

export const orgDisable: Verb = {
  path: 'org disable',
  summary:
    'Stop an organization: within 5 seconds all its keys get 403 organization_disabled, and its running streams end.',
  example: 'sluice org disable org_019a2b3c',
  next: 'sluice org enable <id>   lets it call again; its keys, users and balance stay as they are',
  define: forOne('<id>', 'the organization', async (operator, id) => {
    const organization = await operator.disableOrganization(id)
    return {
      json: ORGANIZATION.present(organization),
      text: `The organization ${id} is disabled. Its keys stop working everywhere within 5 seconds.`,
    }
  }),
}

export const orgEnable: Verb = {
  path: 'org enable',
  summary: 'Let a disabled organization call again.',
  example: 'sluice org enable org_019a2b3c',
  next: 'sluice org show <id>',
  define: forOne('<id>', 'the organization', async (operator, id) => {
    const organization = await operator.enableOrganization(id)
    return {
      json: ORGANIZATION.present(organization),
      text: `The organization ${id} is enabled. Its keys work again within 5 seconds.`,
    }
  }),
}
