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

${all.length} replies of vendors and relays, most of which other programs charged wrongly, and what this gateway charges for them. Each case is a test: it goes through
the gateway for a client of each dialect (messages, chat, responses), whole and as a stream where it can be both, ${requests} requests in all, and the usage row must have
exactly this cost (\`test/billing-faults/\`). How a charge is made in general stands in [pricing.md](pricing.md).

The threads are public and tell of the fault or of its correction. The counts are theirs where they give them, else small ones of the same shape. Programs named here may have been
corrected since. A case without a thread was found in our own code, or is the other half of one that has a thread.

All charges are in micro-USD, at these prices of the model:

| Unit | Price |
|---|---|
${PRICES.map(priceRow).join('\n')}

${sections.join('\n\n')}
`
}

const NOTE = '<!-- Written by "npm run docs". Change the cases in test/billing-faults/, not this page. -->'

function priceRow(price: (typeof PRICES)[number]): string {
  if ('times' in price) return `| \`${price.unit}\` | times ${price.times} |`
  return 'usd' in price
    ? `| \`${price.unit}\` | ${price.usd} USD |`
    : `| \`${price.unit}\` | ${price.usd_per_million} USD for a million |`
}

function section(theme: string, cases: readonly BillingCase[]): string {
  const rows = cases.map(
    (each) => `| ${[each.name, sentOf(each), othersOf(each), chargeOf(each)].join(' | ')} |`,
  )
  return `## ${theme}

| Case | The vendor sends | Elsewhere | We charge |
|---|---|---|---:|
${rows.join('\n')}`
}

function sentOf({ vendor, usages, whole, reply, asks, end, place }: BillingCase): string {
  const parts = [`${vendor}:`]
  if (asks !== undefined) parts.push(`asked with ${code(asks)},`)
  parts.push(usages.length === 0 ? 'no usage' : usages.map(code).join(', then '))
  if (whole !== undefined && usages.length > 0) parts.push(`(whole: ${code(whole)})`)
  if (place !== undefined) parts.push(place === 'choice' ? 'within the choice' : 'within `x_groq`')
  if (reply !== undefined) parts.push(`beside ${code(reply)}`)
  return parts.join(' ') + (end === undefined ? '' : `; then ${end}`)
}

function code(value: object): string {
  return `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``
}

function othersOf({ others, threads }: BillingCase): string {
  return threads.length === 0 ? others : `${others} ${threads.map(link).join(', ')}`
}

/** The address serves issues and pull requests alike. */
function link(thread: string): string {
  const [repository, number] = thread.split('#')
  return `[${thread}](https://github.com/${repository}/issues/${number})`
}

function chargeOf({ charge }: BillingCase): string {
  if (typeof charge === 'number') return charge.toLocaleString('en-US')
  return Object.entries(charge)
    .map(([client, micros]) => `${client} client: ${micros.toLocaleString('en-US')}`)
    .join('; ')
}
