import { type BillingCase, PRICES } from '../test/billing-faults/billing-case.ts'
import { BILLING_CASES } from '../test/billing-faults/billing-cases.ts'
import { formsOf } from '../test/billing-faults/vendor-replies.ts'

/** `docs/billing-cases.md`: every case of `test/billing-faults/`, with what is charged for it. */
export function billingCasesPage(): string {
  const all = Object.values(BILLING_CASES).flat()
  const requests = all.reduce((sum, each) => sum + 3 * formsOf(each).length, 0)
  const sections = Object.entries(BILLING_CASES).map(([theme, cases]) => section(theme, cases))
  return `${NOTE}

# Billing cases

For operators who check whether odd vendor replies are charged correctly; read [pricing.md](pricing.md) next for the rules.
The page lists ${all.length} replies of vendors and relays with their exact charge. Each case is a test (\`test/billing-faults/\`) for clients of all three dialects, whole and streamed where it can be both, ${requests} requests in all.

An item has the charge in micro-USD, the case, and the vendor's dialect with its usage objects, in order. In brackets stands how other programs charged it, with public threads; they may have been corrected since. An "own fault" was one of this gateway.
The counts are those of the threads, or small ones of the same shape. Prices are in USD for a million tokens or for one call, or factors:

${PRICES.map(priceOf).join(', ')}.

${sections.join('\n\n')}
`
}

const NOTE = '<!-- Written by "npm run docs". Change the cases in test/billing-faults/, not this page. -->'

function priceOf(price: (typeof PRICES)[number]): string {
  if ('times' in price) return `\`${price.unit}\` x${price.times}`
  return 'usd' in price ? `\`${price.unit}\` ${price.usd}` : `\`${price.unit}\` ${price.usd_per_million}`
}

function section(theme: string, cases: readonly BillingCase[]): string {
  const items = cases.map(
    (each) => `- **${chargeOf(each)}** ${each.name}; ${sentOf(each)} (${othersOf(each)})`,
  )
  return `## ${theme}\n\n${items.join('\n')}`
}

function sentOf({ vendor, usages, whole, reply, asks, end, place }: BillingCase): string {
  const parts = [`${vendor}:`]
  if (asks !== undefined) parts.push(`asked ${code(asks)},`)
  parts.push(usages.length === 0 ? 'none' : usages.map(code).join(', '))
  if (whole !== undefined && usages.length > 0) parts.push(`(whole: ${code(whole)})`)
  if (place !== undefined) parts.push(`in \`${place}\``)
  if (reply !== undefined) parts.push(`beside ${code(reply)}`)
  return parts.join(' ') + (end === undefined ? '' : `; then ${end}`)
}

function code(value: object): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``
}

function othersOf({ others, threads }: BillingCase): string {
  return [others, ...threads.map(link)].join(', ')
}

/** The address serves issues and pull requests alike. */
function link(thread: string): string {
  const [repository, number] = thread.split('#')
  return `[${thread}](https://github.com/${repository}/issues/${number})`
}

function chargeOf({ charge }: BillingCase): string {
  if (typeof charge === 'number') return charge.toLocaleString('en-US')
  return Object.entries(charge)
    .map(([client, micros]) => `${client}: ${micros.toLocaleString('en-US')}`)
    .join(', ')
}
