import { present } from '../../../app/views/present.ts'
import { KEY } from '../../../app/views/tenants.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import {
  parseBudget,
  parseModels,
  parseMoment,
  parseName,
  parseRequestsPerMinute,
} from '../../parse/options.ts'
import type { Verb } from '../../verb.ts'

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
  usage:
    '--org <id> --user <id> [--name <name>] [--rpm <n>] [--expires-at <moment>] [--models <a,b>] [--monthly-usd <usd>] [--json]',
  summary: 'Make an API key for a user. The key is shown this once; only its digest is kept.',
  example: 'sluice key create --org org_019a2b3c --user usr_019a2b3c --name production',
  next: "curl http://127.0.0.1:8080/v1/models -H 'Authorization: Bearer <key>'",
  json: true,
  define(command, { operate, print }) {
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
          print({
            json: { ...present(KEY, apiKey), key },
            text: `Made the key ${apiKey.id}. Keep it now, it is not shown again:\n\n  ${key}\n`,
          })
        }),
      )
  },
}
