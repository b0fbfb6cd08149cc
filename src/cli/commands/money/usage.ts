import type { Operator } from '../../../app/operator.ts'
import type { UsagePage } from '../../../app/usage/sum-usage.ts'
import { chargeJson, usageJson } from '../../../app/views/usage.ts'
import { UsageError } from '../../errors.ts'
import { formatCsv, formatTable, oneLine } from '../../present/format-table.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Verb } from '../../verb.ts'

type ListedSum = UsagePage['sums'][number]

const PAGE = 1_000
/** Limit of a table or a JSON array, which is built in memory; CSV is printed page by page. */
const ROWS_MAX = 100_000

const FORM = '[--by <groups>] [--from <date>] [--to <date>] [--org <id>] [--csv | --json]'
const EXAMPLE = 'sluice usage --by day,org --from 2026-11-01 --to 2026-12-01'

interface UsageOptions {
  by?: string
  from?: string
  to?: string
  org?: string
  csv?: boolean
  json?: boolean
}

export const usage: Verb = {
  path: 'usage',
  usage: FORM,
  summary:
    'Add up requests, tokens, seconds of video and cost: by day for the last 30 days unless told otherwise.',
  example: EXAMPLE,
  next: 'sluice usage show <request id or task id>',
  define(command, { operate, print }) {
    command
      .option('--by <groups>', 'day or hour, org, user, key, model; several with commas')
      .option('--from <date>', 'the first day in UTC, or the first full hour, such as 2026-11-01T05:00Z')
      .option('--to <date>', 'the day or hour before which the report ends')
      .option('--org <id>', 'only of this organization')
      .option('--csv', 'print the rows as CSV and nothing else')
      .action(({ org, csv = false, json = false, ...query }: UsageOptions) =>
        operate(async (operator) => {
          if (csv && json)
            throw new UsageError('Use --csv or --json, not both.', {
              form: `sluice usage ${FORM}`,
              example: EXAMPLE,
            })
          if (org !== undefined) await operator.showOrganization(org)
          const pages = readPages(operator, { ...query, organizationId: org })
          if (csv) {
            let names: Map<string, string> | undefined
            for await (const sums of pages) {
              const withHead = names === undefined
              names ??= await namesFor(sums, operator)
              print({ json: undefined, text: formatCsv(sums.map(csvRowBy(names)), { withHead }) })
            }
            return
          }
          const sums: ListedSum[] = []
          for await (const page of pages) {
            sums.push(...page)
            if (sums.length > ROWS_MAX) throw tooMany()
          }
          const rows = json ? [] : await toRows(sums, operator)
          print({
            json: sums.map(usageJson),
            text: formatTable(rows, { none: 'Nothing was used in this time.' }),
          })
        }),
      )
  },
}

async function* readPages(
  operator: Pick<Operator, 'sumUsage'>,
  query: Omit<UsageOptions, 'org' | 'csv' | 'json'> & { organizationId: string | undefined },
): AsyncGenerator<ListedSum[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await operator.sumUsage({ ...query, limit: PAGE, cursor })
    if (page.sums.length > 0) yield page.sums
    if (page.nextCursor === undefined) return
    cursor = page.nextCursor
  }
}

/** Returns organization names by id; empty when the sums are not grouped by organization. */
async function namesFor(
  sums: readonly ListedSum[],
  operator: Pick<Operator, 'listOrganizations'>,
): Promise<Map<string, string>> {
  const organizations = sums[0]?.org === undefined ? [] : await operator.listOrganizations()
  return new Map(organizations.map(({ id, name }) => [id, name]))
}

/** Adds the organization's name as the last column, because programs may read the others by position. */
function csvRowBy(names: ReadonlyMap<string, string>) {
  return (sum: ListedSum) => ({
    ...usageJson(sum),
    ...(sum.org === undefined ? {} : { organization_name: names.get(sum.org) ?? '' }),
  })
}

/** Builds table rows, with names of organizations and with dollars. */
async function toRows(
  sums: readonly ListedSum[],
  operator: Pick<Operator, 'listOrganizations'>,
): Promise<Record<string, string>[]> {
  const names = await namesFor(sums, operator)
  return sums.map((sum) => {
    const { cost_micros: _micros, ...json } = usageJson(sum)
    const cells = Object.entries(json).flatMap(([name, value]): [string, string][] =>
      name === 'organization_id'
        ? [
            [name, String(value)],
            ['name', names.get(String(value)) ?? ''],
          ]
        : [[name, String(value)]],
    )
    return { ...Object.fromEntries(cells), cost: formatUsd(sum.costMicros) }
  })
}

function tooMany(): UsageError {
  return new UsageError(`These are more than ${ROWS_MAX} rows. Print them with --csv, or ask for less.`, {
    form: `sluice usage ${FORM}`,
    example: 'sluice usage --by hour,key --csv',
  })
}

export const usageShow: Verb = {
  path: 'usage show',
  usage: '<request id or task id> [--json]',
  summary: 'Show what one text request or video was charged, with the measures and the prices that applied.',
  example: 'sluice usage show req_019a2b3c',
  next: 'sluice ledger refund <task id>',
  define(command, { operate, print }) {
    command
      .argument(
        '<id>',
        'the x-request-id of an answer, also of the one that created a video task, or the id of a task',
      )
      .action((id: string) =>
        operate(async (operator) => {
          const json = chargeJson(await operator.showUsage(id))
          const lines = Object.entries(json).map(
            ([name, value]) =>
              `${name.padEnd(20)} ${oneLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
          )
          print({ json, text: lines.join('\n') })
        }),
      )
  },
}

interface UsageExportOptions {
  org?: string
  from?: string
  to?: string
}

export const usageExport: Verb = {
  path: 'usage export',
  summary:
    'Print usage as CSV of the FinOps FOCUS specification 1.2: a row for each day, key, model, unit and price.',
  example: 'sluice usage export --focus --from 2026-11-01 --to 2026-12-01',
  next: 'give the file to the tool that reads your bills; refunds are not in it (sluice usage has them)',
  json: false,
  define(command, { operate, print }) {
    command
      .requiredOption('--focus', 'in the format of FOCUS 1.2, rows of the category Usage')
      .option('--org <id>', 'only of this organization')
      .option('--from <date>', 'the first day in UTC; 30 days before the end by default')
      .option('--to <date>', 'the day before which the rows end')
      .action(({ org, from, to }: UsageExportOptions) =>
        operate(async (operator) => {
          if (org !== undefined) await operator.showOrganization(org)
          let withHead = true
          for await (const rows of operator.exportFocus({ organizationId: org, from, to })) {
            if (rows.length > 0) print({ json: undefined, text: formatCsv(rows, { withHead }) })
            withHead = false
          }
        }),
      )
  },
}
