import type { RequestList } from '../../app/requests/list-requests.ts'
import { LOGGED_REQUEST } from '../../app/views/requests.ts'
import { presentTime } from '../../app/views/times.ts'
import type { Micros } from '../../domain/billing/micros.ts'
import { parseCount, parseCredit, parseMoment } from '../parse/options.ts'
import { formatUsd } from '../present/formats.ts'
import type { Verb } from '../verb.ts'
import { listing } from './define-verb.ts'

const LIMIT = 20
const LIMIT_MAX = 1_000
const PAGE_MAX = 100

interface RequestOptions {
  org?: string
  key?: string
  user?: string
  model?: string
  provider?: string
  status?: number
  code?: string
  failed?: true
  from?: number
  to?: number
  minCostUsd?: Micros
  limit?: number
}

export const requests: Verb = {
  path: 'requests',
  summary: `List the latest text requests and video creates, also refused ones: ${LIMIT} unless told otherwise.`,
  example: 'sluice requests --org org_019a2b3c --from 2026-11-16T09:00:00Z --to 2026-11-16T09:20:00Z',
  next: 'sluice usage show <request id>',
  define(command, { operate, print }) {
    command
      .option('--org <id>', 'only of this organization')
      .option('--key <id>', 'only of this API key')
      .option('--user <id>', 'only of this user')
      .option('--model <name>', 'only requests for this model')
      .option('--provider <name>', 'only requests that this provider served or failed')
      .option('--status <n>', 'only with this HTTP status', parseCount({ max: 599 }))
      .option('--code <code>', 'only with this error code')
      .option('--failed', 'only with an error code')
      .option('--from <moment>', 'only from this moment on, such as 2026-11-16T09:00:00Z', parseMoment)
      .option('--to <moment>', 'only before this moment', parseMoment)
      .option('--min-cost-usd <usd>', 'only requests that cost at least this much', parseCredit)
      .option('--limit <n>', `at most so many, ${LIMIT} by default`, parseCount({ max: LIMIT_MAX }))
      .action(({ org, key, user, from, to, minCostUsd, limit = LIMIT, ...rest }: RequestOptions) =>
        operate(async (operator) => {
          if (org !== undefined) await operator.showOrganization(org)
          const { model, provider, status, code, failed: isFailed } = rest
          const filter = {
            ...{ organizationId: org, keyId: key, userId: user, model, provider, status, code },
            ...{ isFailed, fromMs: from, toMs: to, minCostMicros: minCostUsd },
          }
          const rows: RequestList['requests'] = []
          for (let cursor: string | undefined; rows.length < limit; ) {
            const page = await operator.listRequests({
              ...filter,
              limit: Math.min(PAGE_MAX, limit - rows.length),
              cursor,
            })
            rows.push(...page.requests)
            if (page.nextCursor === undefined) break
            cursor = page.nextCursor
          }
          const none = 'There is no such request.'
          print(listing(rows, { json: LOGGED_REQUEST.present, cells: requestRow, none }))
        }),
      )
  },
}

function requestRow(row: RequestList['requests'][number]): Record<string, string> {
  const code = row.notKept === null ? row.code : `${row.code} (${row.notKept})`
  return {
    AT: presentTime(row.atMs),
    REQUEST: row.requestId ?? '-',
    OPERATION: row.operation ?? '-',
    ORGANIZATION: row.organizationId,
    KEY: row.keyId,
    MODEL: row.servedBy ?? row.model ?? '-',
    STATUS: row.status?.toString() ?? '-',
    CODE: code ?? '-',
    TOKENS: row.inputTokens === null ? '-' : `${row.inputTokens} in, ${row.outputTokens ?? 0} out`,
    COST: formatUsd(row.costMicros),
    MS: row.durationMs?.toString() ?? '-',
    TASK: row.taskId ?? '-',
  }
}
