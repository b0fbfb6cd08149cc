import { chargeJson } from '../../../app/views/usage.ts'
import { oneLine } from '../../present/format-table.ts'
import type { Verb } from '../../verb.ts'

export const usageShow: Verb = {
  path: 'usage show',
  usage: '<request id or task id> [--json]',
  summary: 'Show what one text request or video was charged, with the measures and the prices that applied.',
  example: 'sluice usage show req_019a2b3c',
  next: 'sluice ledger refund <task id>',
  json: true,
  define(command, { operate, print }) {
    command
      .argument(
        '<id>',
        'the x-request-id of an answer, also of the one that made a video, or the id of a task',
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
