import type { LedgerReport } from '../../../app/billing/check-ledger.ts'
import { REFUND } from '../../../app/views/ledger.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { FailedChecks } from '../../errors.ts'
import { parseCredit, parseEntry, parseNote } from '../../parse/options.ts'
import { oneLine } from '../../present/format-table.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Verb } from '../../verb.ts'

/** A check that takes longer prints a notice. */
const PATIENCE_MS = 2_000

export const ledgerCheck: Verb = {
  path: 'ledger check',
  summary: 'Add everything up and say whether the fifteen invariants of the ledger hold. It changes nothing.',
  example: 'sluice ledger check',
  next: 'nothing when all is well; else docs/operations.md says what each invariant means',
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

interface LedgerRefundOptions {
  usd?: Micros
  note: string
  entry?: string
}

export const ledgerRefund: Verb = {
  path: 'ledger refund',
  summary:
    'Give back the charge of a task or a text request, all of it or a part. All refunds together are at most the charge.',
  example: 'sluice ledger refund task_019a2b3c --note "the video was broken"',
  next: 'sluice credit show --org <id>',
  define(command, { operate, print }) {
    command
      .argument('<task id>', 'the task, or the text request by its x-request-id')
      .requiredOption('--note <text>', 'why, kept with the entry', parseNote)
      .option('--usd <usd>', 'only so many US dollars, such as 0.25; all of the rest by default', parseCredit)
      .option('--entry <id>', 'entry id that a failed attempt named; repeating it counts once', parseEntry)
      .action((taskId: string, { note, usd, entry }: LedgerRefundOptions) =>
        operate(async (operator) => {
          const refund = await operator.refundTask({ taskId, amountMicros: usd, note, entryId: entry })
          const { organizationId, amountMicros, refundedMicros, isRepeat } = refund
          const amount = formatUsd(amountMicros)
          const total = refundedMicros === amountMicros ? '' : `, ${formatUsd(refundedMicros)} in all`
          print({
            json: REFUND.present({ ...refund, taskId }),
            text: isRepeat
              ? `It was given back already: ${amount} to ${organizationId} for ${taskId}${total}.`
              : `Gave ${amount} back to ${organizationId} for ${taskId}${total}.`,
          })
        }),
      )
  },
}
