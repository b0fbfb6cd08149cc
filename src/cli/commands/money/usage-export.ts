import { formatCsv } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

interface UsageExportOptions {
  org?: string
  from?: string
  to?: string
}

export const usageExport: Verb = {
  path: 'usage export',
  usage: '--focus [--org <id>] [--from <date>] [--to <date>]',
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
      .option('--to <date>', 'the day before which it ends')
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
