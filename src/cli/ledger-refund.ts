import { formatUsd } from './format-usd.ts'
import { parseNote } from './parse-note.ts'
import type { Verb } from './verb.ts'

export const ledgerRefund: Verb = {
  path: 'ledger refund',
  usage: '<task id> [--note <text>] [--json]',
  summary: 'Give back in full what a task was charged. A task is refunded once.',
  example: 'sluice ledger refund task_019a2b3c --note "the video was broken"',
  next: 'sluice credit show --org <id>',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<task id>', 'the task')
      .option('--note <text>', 'why, kept with the entry', parseNote)
      .action((taskId: string, { note }: { note?: string }) =>
        operate(async (operator) => {
          const { organizationId, amountMicros } = await operator.refundTask({ taskId, note: note ?? null })
          print({
            json: { task_id: taskId, organization_id: organizationId, amount_micros: amountMicros },
            text: `Gave ${formatUsd(amountMicros)} back to ${organizationId} for ${taskId}.`,
          })
        }),
      )
  },
}
