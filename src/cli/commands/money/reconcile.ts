import { InvalidArgumentError } from 'commander'
import type { BillColumns } from '../../../app/billing/read-bill.ts'
import type { Findings, ReconciledRow, Reconciliation } from '../../../app/billing/reconcile-bill.ts'
import { FailedChecks } from '../../errors.ts'
import { streamBytes } from '../../parse/read-text.ts'
import { formatTable, oneLine } from '../../present/format-table.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Verb } from '../../verb.ts'

/** Maximum number of rows of each kind in the text; JSON lists more. */
const SHOWN_MAX = 20

interface ReconcileOptions {
  provider: string
  map: BillColumns
  from?: string
  to?: string
}

export const reconcile: Verb = {
  path: 'reconcile',
  summary:
    "Compare a vendor's bill with what was charged: what only one side has, and what differs, with the sum at risk. It changes nothing.",
  example: 'sluice reconcile bill.csv --provider vendorB --map ticket=task_id,usd=cost --from 2026-11-01',
  next: 'sluice task show <id>, sluice usage show <id>, or sluice ledger refund <task id>',
  define(command, { operate, print, notice }) {
    command
      .argument('<file>', 'the bill in CSV, with the names of its columns in the first line')
      .requiredOption('--provider <name>', 'the provider of sluice.yaml whose account is billed')
      .requiredOption(
        '--map <columns>',
        "the columns of the vendor's id (or of the request id) and of the amount: ticket=COLUMN,usd=COLUMN",
        parseMap,
      )
      .option('--from <date>', 'the first day of the bill in UTC; 30 days before the end by default')
      .option('--to <date>', 'the day before which the bill ends; tomorrow by default')
      .action((path: string, { provider, map, from, to }: ReconcileOptions) =>
        operate(async (operator) => {
          const result = await operator.reconcileBill({
            provider,
            columns: map,
            from,
            to,
            file: streamBytes(path, 'Give the path of the bill or usage export in CSV.'),
            onProgress: ({ of, count }) => notice(`${count} ${of} read\n`),
          })
          print({ json: jsonOf(provider, result), text: describe(provider, result) })
          const failed = kindsOf(result).filter(({ findings }) => findings.micros > 0).length
          if (failed > 0) throw new FailedChecks(failed)
        }),
      )
  },
}

/** Parses `ticket=COLUMN,usd=COLUMN`. A column name may contain a comma or an equals sign. */
function parseMap(text: string): BillColumns {
  const parts = text.split(/,(?=(?:ticket|usd)=)/).map((part) => /^(ticket|usd)=(.*\S.*)$/.exec(part) ?? [])
  const columns = Object.fromEntries(parts.map(([, name = '', column = '']) => [name, column.trim()]))
  const { ticket = '', usd = '' } = columns
  if (parts.length !== 2 || ticket === '' || usd === '')
    throw new InvalidArgumentError('Name both columns, such as ticket=task_id,usd=cost.')
  return { ticket, usd }
}

function kindsOf({ chargedNotBilled, billedNotCharged, differentAmounts }: Reconciliation) {
  return [
    {
      name: 'charged_not_billed',
      title: 'Charged by us, not billed by the vendor',
      findings: chargedNotBilled,
    },
    {
      name: 'billed_not_charged',
      title: 'Billed by the vendor, not charged by us',
      findings: billedNotCharged,
    },
    { name: 'different_amounts', title: 'Different amounts', findings: differentAmounts },
  ] as const
}

function jsonOf(provider: string, result: Reconciliation) {
  return {
    ok: result.atRiskMicros === 0,
    provider,
    from: new Date(result.fromMs).toISOString(),
    to: new Date(result.toMs).toISOString(),
    lines: result.lines,
    agreed: result.agreed,
    ...Object.fromEntries(kindsOf(result).map(({ name, findings }) => [name, findingsJson(findings)])),
    margin_micros: result.marginMicros,
    unassigned: result.unassigned,
    at_risk_micros: result.atRiskMicros,
  }
}

function findingsJson({ count, micros, rows }: Findings) {
  return {
    count,
    at_risk_micros: micros,
    rows: rows.map(({ billId, id, organizationId, status, chargedMicros, billedMicros }) => ({
      bill_id: billId,
      id,
      organization_id: organizationId,
      status,
      charged_micros: chargedMicros,
      billed_micros: billedMicros,
    })),
  }
}

function describe(provider: string, result: Reconciliation): string {
  const { fromMs, toMs, lines, agreed, unassigned, marginMicros, atRiskMicros } = result
  const day = (ms: number) => new Date(ms).toISOString().replace(/T00:00:00.000Z$/, '')
  return [
    `${oneLine(provider)} from ${day(fromMs)} to ${day(toMs)}: ${lines} lines of the bill, ${agreed} charges agree.`,
    ...kindsOf(result).flatMap(({ title, findings }) => describeFindings(title, findings)),
    ...(marginMicros === 0
      ? []
      : [`Charged above the bill: ${formatUsd(marginMicros)}. This is the margin, not at risk.`]),
    ...(unassigned.lines === 0
      ? []
      : [
          `Left out: ${unassigned.lines} lines without an id or with a credit, ${formatUsd(unassigned.micros)}.`,
        ]),
    `At risk: ${formatUsd(atRiskMicros)}.`,
  ].join('\n')
}

function describeFindings(title: string, { count, micros, rows }: Findings): string[] {
  if (count === 0) return []
  const shown = rows.slice(0, SHOWN_MAX)
  return [
    `\n${title}: ${count}, ${formatUsd(micros)} at risk`,
    formatTable(shown.map(tableRow), { none: '' }),
    ...(count > shown.length ? [`... and ${count - shown.length} more; --json lists up to 10,000.`] : []),
    '',
  ]
}

function tableRow({ billId, id, organizationId, status, chargedMicros, billedMicros }: ReconciledRow) {
  return {
    ID: id ?? '-',
    STATUS: status ?? '-',
    CHARGED: formatUsd(chargedMicros),
    BILLED: formatUsd(billedMicros),
    ORGANIZATION: organizationId ?? '-',
    // This column is last, because ids of vendors may be very long.
    'BILL ID': billId ?? '-',
  }
}
