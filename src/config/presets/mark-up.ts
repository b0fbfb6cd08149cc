import type { YAMLMap } from 'yaml'
import { micros } from '../../domain/billing/micros.ts'
import { formatUsdDecimal, parseUsdMicros } from '../../domain/billing/usd.ts'
import { loadYaml } from '../yaml/yaml-tree.ts'

/** The prices of a preset are the vendor's: they become `vendor_prices`, and `prices` are dearer by the markup. */
export function withVendorPrices(model: YAMLMap, markupPercent: number): void {
  const { isMap, isNode, isSeq } = loadYaml()
  const prices = model.get('prices', true)
  if (!isNode(prices)) return
  model.set('vendor_prices', prices.clone())
  if (!isSeq(prices)) return
  for (const row of prices.items)
    if (isMap(row))
      for (const amount of AMOUNTS)
        if (row.has(amount)) row.set(amount, markedUp(String(row.get(amount)), markupPercent))
}

/** A multiplier (`times`) is no amount: the prices that it multiplies are marked up already. */
const AMOUNTS = ['usd_per_million', 'usd'] as const

/** Returns the price with the markup, rounded up to six decimals. */
export function markedUp(usd: string, percent: number): string {
  const cost = parseUsdMicros(usd)
  if (cost === undefined) throw new RangeError(`${usd} is not an amount of US dollars`)
  const shares = BigInt(Math.round(percent * 100)) + 10_000n
  return formatUsdDecimal(micros(Number((BigInt(cost) * shares + 9_999n) / 10_000n)))
}
