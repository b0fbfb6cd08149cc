import { isJsonObject } from '@sluice/dialects/json/json-object'
import { micros } from '../../../domain/billing/micros.ts'
import type { PriceLine } from '../../../domain/billing/price-text.ts'
import { PRICE_UNITS } from '../../../domain/catalog/price-row.ts'

/** Writes `[{"unit":"input_token","quantity":1000,"price_micros":3000000}]`. */
export function writePriceLines(lines: readonly PriceLine[]): string {
  return JSON.stringify(
    lines.map(({ unit, quantity, priceMicros, of }) => ({ unit, quantity, price_micros: priceMicros, of })),
  )
}

/** Returns undefined for damaged lines. */
export function readPriceLines(json: string): PriceLine[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value.map(readLine) : undefined
  } catch {
    return undefined
  }
}

function readLine(line: unknown): PriceLine {
  const { unit, quantity, price_micros: price } = isJsonObject(line) ? line : {}
  const known = PRICE_UNITS.find((one) => one === unit)
  if (known === undefined || !isAmount(quantity) || !isAmount(price)) throw new TypeError('not a price line')
  return { unit: known, quantity, priceMicros: micros(price) }
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
