import type { QuoteView } from '../../app/video/quote-task.ts'
import { quoteJson } from '../../app/views/quote.ts'
import { readBytes } from '../parse/read-text.ts'
import { formatUsd } from '../present/formats.ts'
import type { Verb } from '../verb.ts'

export const quote: Verb = {
  path: 'quote',
  summary:
    'Say what a video will cost an organization, and make a quote that it never costs more than. It checks what a create call checks, except the limits of a user or a key, and does not ask the vendor for a video.',
  example: 'sluice quote order.json --org org_019a2b3c',
  next: 'POST /v1/video/generations with the same body and the quote_id, within 15 minutes',
  define(command, { services, print }) {
    command
      .argument('<file>', 'the body of a create call, in JSON')
      .requiredOption('--org <id>', 'the organization that will order it')
      .action(async (file: string, { org }: { org: string }) => {
        const body = readBytes(file, 'Give the path of a file with the body of a create call.')
        const view = await services.quoteOrder(services.loadConfig(), { organizationId: org, body })
        print({ json: quoteJson(view), text: describeQuote(view) })
      })
  },
}

function describeQuote(view: QuoteView): string {
  const { order, parts } = quoteJson(view)
  return [
    `Price    ${formatUsd(view.priceMicros)}, and never more`,
    ...parts.map(({ unit, quantity, usd }) => `Of       ${quantity} ${unit} at ${usd} USD`),
    `Until    ${new Date(view.expiresAtMs).toISOString()}`,
    `Order    ${JSON.stringify(order)}`,
    `Quote    ${view.quoteId}`,
  ].join('\n')
}
