import { KEY } from '../../../app/views/tenants.ts'
import { presentTime } from '../../../app/views/times.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import {
  parseBudget,
  parseDuration,
  parseModels,
  parseMoment,
  parseName,
  parseRequestsPerMinute,
} from '../../parse/options.ts'
import { keyRow } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'
import { forOne, forOrganization, listing } from '../define-verb.ts'

interface KeyCreateOptions {
  org: string
  user: string
  name?: string
  rpm?: number
  expiresAt?: number
  models?: string[]
  monthlyUsd?: Micros | 'none'
}

export const keyCreate: Verb = {
  path: 'key create',
  summary: 'Make an API key for a user. The key is shown this once; only its digest is kept.',
  example: 'sluice key create --org org_019a2b3c --user usr_019a2b3c --name production',
  next: "curl http://127.0.0.1:8080/v1/models -H 'Authorization: Bearer <key>'",
  define(command, { services, operate, print }) {
    command
      .requiredOption('--org <id>', 'the organization it spends for')
      .requiredOption('--user <id>', 'the user it acts as')
      .option('--name <name>', 'what it is for', parseName)
      .option('--rpm <n>', 'requests per minute with this key', parseRequestsPerMinute)
      .option('--expires-at <moment>', 'when it stops working, such as 2027-01-31 (UTC)', parseMoment)
      .option(
        '--models <names>',
        'the models it may use, with commas between; all when left out',
        parseModels,
      )
      .option('--monthly-usd <usd>', 'US dollars that it may spend in a calendar month', parseBudget)
      .action(({ org, user, name, rpm, expiresAt, models, monthlyUsd }: KeyCreateOptions) =>
        operate(async (operator) => {
          const { apiKey, key } = await operator.createKey({
            organizationId: org,
            userId: user,
            name: name ?? '',
            requestsPerMinute: rpm ?? null,
            ...(expiresAt !== undefined && { expiresAtMs: expiresAt }),
            ...(models !== undefined && { allowedModels: models }),
            ...(monthlyUsd !== undefined && {
              monthlyBudgetMicros: monthlyUsd === 'none' ? null : monthlyUsd,
            }),
          })
          const { publicBaseUrl, port } = services.loadConfig().http
          const url = publicBaseUrl ?? `http://127.0.0.1:${port}`
          print({
            json: { ...KEY.present(apiKey), key },
            text: `Made the key ${apiKey.id}. Keep it now, it is not shown again:\n\n  ${key}\n\nNext: curl ${url}/v1/models -H 'Authorization: Bearer ${key}'`,
          })
        }),
      )
  },
}

export const keyList: Verb = {
  path: 'key list',
  summary: 'List the keys of an organization, revoked ones too. The keys themselves are not kept.',
  example: 'sluice key list --org org_019a2b3c',
  next: 'sluice key revoke <id>',
  define: forOrganization(async (operator, org) => {
    const none = `No key yet. Make one: sluice key create --org ${org} --user <id>`
    return listing(await operator.listKeys(org), { json: KEY.present, cells: keyRow, none })
  }),
}

const OVERLAP_MS = 24 * 3_600_000

export const keyRotate: Verb = {
  path: 'key rotate',
  summary:
    'Replace a key: make a successor with the same terms, and let the old key work 24 hours more, or as long as --overlap says. The successor goes on with the budget of the month; until the old key ends, both may spend what was left of it.',
  example: 'sluice key rotate key_019a2b3c --overlap 1h',
  next: 'give the new key to the program that used the old one before the overlap ends',
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the key, by its id, not by its text')
      .option(
        '--overlap <time>',
        'how long the old key still works: 0, 30m, 24h or 7d; 24h when left out',
        parseDuration,
      )
      .action((id: string, { overlap }: { overlap?: number }) =>
        operate(async (operator) => {
          const { apiKey, key, old } = await operator.rotateKey({ id, overlapMs: overlap ?? OVERLAP_MS })
          print({
            json: { ...KEY.present(apiKey), key, replaces: KEY.present(old) },
            text: [
              `Made the key ${apiKey.id} in place of ${id}. Keep it now, it is not shown again:\n`,
              `  ${key}\n`,
              `The old key works until ${old.expiresAtMs === null ? '' : presentTime(old.expiresAtMs)}.`,
            ].join('\n'),
          })
        }),
      )
  },
}

export const keyRevoke: Verb = {
  path: 'key revoke',
  summary: 'End a key for good. Every replica refuses it within 5 seconds.',
  example: 'sluice key revoke key_019a2b3c',
  next: 'sluice key create --org <id> --user <id>   for its successor',
  define: forOne('<id>', 'the key, by its id, not by its text', async (operator, id) => {
    const apiKey = await operator.revokeKey(id)
    return {
      json: KEY.present(apiKey),
      text: `The key ${apiKey.id} (${apiKey.prefix}...) is revoked. It stops working everywhere within 5 seconds.`,
    }
  }),
}
