import type { LedgerReport } from '../../../app/billing/check-ledger.ts'
import { FailedChecks } from '../../errors.ts'
import { oneLine } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

/** Long enough that a small ledger is checked without a notice. */
const PATIENCE_MS = 2_000

export const ledgerCheck: Verb = {
  path: 'ledger check',
  usage: '[--json]',
  summary: 'Add everything up and say whether the fifteen invariants of the ledger hold. It changes nothing.',
  example: 'sluice ledger check',
  next: 'nothing when all is well; else docs/operations.md says what each invariant means',
  json: true,
  define(command, { operate, print, notice }) {
    command.action(() =>
      operate(async (operator) => {
        const report = await noticeWhenLong(operator.checkLedger(), notice)
        const { violations, truncatedInvariants, unmeasuredCharges } = report
        print({
          json: {
            ok: violations.length === 0,
            violations,
            ...(truncatedInvariants.length === 0 ? {} : { cut_invariants: truncatedInvariants }),
            ...(unmeasuredCharges === 0 ? {} : { unmeasured_charges: unmeasuredCharges }),
          },
          text: [describeReport(report), ...describeUnmeasured(report)].join('\n'),
        })
        const broken = new Set(violations.map(({ invariant }) => invariant))
        if (broken.size > 0) throw new FailedChecks(broken.size)
      }),
    )
  },
}

async function noticeWhenLong<Result>(
  work: Promise<Result>,
  notice: (text: string) => void,
): Promise<Result> {
  const timer = setTimeout(
    () =>
      notice(
        'Still checking: every entry, hold and usage row is added up, and every charge is computed again. The gateway serves on meanwhile.\n',
      ),
    PATIENCE_MS,
  )
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

function describeUnmeasured({ unmeasuredCharges }: LedgerReport): string[] {
  if (unmeasuredCharges === 0) return []
  return [`Left out of invariant 8: ${unmeasuredCharges} charges from before measures were kept with them.`]
}

function describeReport({ violations, truncatedInvariants }: LedgerReport): string {
  if (violations.length === 0) return 'The ledger is right: all fifteen invariants hold.'
  return [...Map.groupBy(violations, ({ invariant }) => invariant)]
    .flatMap(([invariant, found]) => [
      ...found.map(
        ({ subject, message }) => `BROKEN  invariant ${invariant}, ${oneLine(subject)}: ${oneLine(message)}`,
      ),
      ...(truncatedInvariants.includes(invariant)
        ? [`        invariant ${invariant} is broken more often: only the first ${found.length} are shown.`]
        : []),
    ])
    .join('\n')
}
