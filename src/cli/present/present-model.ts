import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { ModelAlias } from '../../domain/catalog/alias.ts'
import { endpointsOf } from '../../domain/catalog/endpoints-of.ts'
import { exampleCost } from '../../domain/catalog/example-cost.ts'
import { type PricedModel, targetLabel } from '../../domain/catalog/model.ts'
import { amountNameOf, attributesOf, type PriceRow } from '../../domain/catalog/price-row.ts'
import { formatUsd } from './formats.ts'

/** Returns one row per price; only the first row has the facts of the model. */
export function modelRows(model: PricedModel): Record<string, string>[] {
  const example = exampleCost(model)
  const first = {
    ID: String(model.modelId),
    NAME: labelOf(model),
    ENDPOINTS: endpointsOf(model).join(' ') || '-',
    'MAX OUTPUT': model.maxOutputTokens?.toString() ?? '-',
    CONTEXT: model.contextTokens?.toString() ?? '-',
  }
  const cost =
    example === undefined
      ? 'no price: clients get 503'
      : `${example.request}: ${formatUsd(example.costMicros)}`
  const prices = model.prices.length === 0 ? [{ SOLD: '-', USD: '-' }] : model.prices.map(priceCells)
  return prices.map((cells, index) =>
    index === 0 ? { ...first, ...cells, EXAMPLE: cost } : { ...BLANK, ...cells, EXAMPLE: '' },
  )
}

export function aliasRow({ alias, model, organizationId }: ModelAlias): Record<string, string> {
  const whose = organizationId === null ? '' : `, only ${organizationId}`
  return { ...BLANK, NAME: `${alias} (alias of ${model}${whose})`, SOLD: '', USD: '', EXAMPLE: '' }
}

function labelOf({ name, likeModel, route }: PricedModel): string {
  if (likeModel !== undefined) return `${name} (like ${likeModel})`
  return route === undefined ? name : `${name} (route ${route.map(targetLabel).join(' ')})`
}

const BLANK = { ID: '', NAME: '', ENDPOINTS: '', 'MAX OUTPUT': '', CONTEXT: '' }

function priceCells(row: PriceRow): { SOLD: string; USD: string } {
  const amount = amountNameOf(row.unit)
  const unit = amount === 'usd_per_million' ? `million ${row.unit}s` : row.unit
  const price = formatUsdDecimal(row.priceMicros)
  return { SOLD: [unit, ...attributesOf(row)].join(', '), USD: amount === 'times' ? `x ${price}` : price }
}
