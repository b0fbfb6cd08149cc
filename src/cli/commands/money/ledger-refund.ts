import { REFUND } from '../../../app/views/ledger.ts'
import { present } from '../../../app/views/present.ts'
import type { Micros } from '../../../domain/billing/micros.ts'
import { parseCredit, parseEntry, parseNote } from '../../parse/options.ts'
import { formatUsd } from '../../present/formats.ts'
import type { Verb } from '../../verb.ts'

interface LedgerRefundOptions {
  usd?: Micros
  note: string
  entry?: string
}

export const ledgerRefund: Verb = {
  path: 'ledger refund',
  usage: '<task id> --note <text> [--usd <usd>] [--entry <id>] [--json]',
  summary:
    'Give back what a task or a text request was charged: the rest of it, or a part. All parts together are at most the charge.',
  example: 'sluice ledger refund task_019a2b3c --note "the video was broken"',
  next: 'sluice credit show --org <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<task id>', 'the task, or the text request by its x-request-id')
      .requiredOption('--note <text>', 'why, kept with the entry', parseNote)
      .option('--usd <usd>', 'only so many US dollars, such as 0.25; all of the rest by default', parseCredit)
      .option('--entry <id>', 'of a try whose answer was lost, so that it counts once', parseEntry)
      .action((taskId: string, { note, usd, entry }: LedgerRefundOptions) =>
        operate(async (operator) => {
          const refund = await operator.refundTask({
            taskId,
            amountMicros: usd,
            note,
            entryId: entry,
          })
          const { organizationId, amountMicros, refundedMicros, isRepeat } = refund
          const amount = formatUsd(amountMicros)
          const total = refundedMicros === amountMicros ? '' : `, ${formatUsd(refundedMicros)} in all`
          print({
            json: present(REFUND, { ...refund, taskId }),
            text: isRepeat
              ? `It was given back already: ${amount} to ${organizationId} for ${taskId}${total}.`
              : `Gave ${amount} back to ${organizationId} for ${taskId}${total}.`,
          })
        }),
      )
  },
}
