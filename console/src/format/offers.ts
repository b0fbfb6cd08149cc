import type { Price } from './price-lines.ts'

/** A row of a catalog file, as presets have them. */
export interface CatalogRow {
  name: string
  prices: readonly Price[]
  [member: string]: unknown
}

/** A model of a vendor that can be offered. */
export interface Offer {
  /** The vendor's own id. */
  id: string
  /** Name of the model without the provider. */
  key: string
  /** Entry under `models` of the provider. */
  entry: unknown
  /** Its row in the preset, with the vendor's prices; undefined: the preset does not know the model. */
  row: CatalogRow | undefined
}

interface Vendor {
  /** Entries of the preset and of the stored provider, by model. */
  models: Readonly<Record<string, unknown>>
  rows: readonly CatalogRow[]
  /** Entry for models that are not in the preset. */
  dialect: string
}

const AMOUNTS = ['usd_per_million', 'usd'] as const

/** Returns the `models` that the vendor lists (all if it lists none), then the vendor's other models. */
export function offersOf({ models, rows, dialect }: Vendor, listed: readonly string[]): Offer[] {
  const known = Object.entries(models).map(([key, entry]) => {
    const { upstream } = Object(entry)
    const row = rows.find(({ name }) => name.endsWith(`/${key}`))
    return { id: typeof upstream === 'string' ? upstream : key, key, entry, row }
  })
  const ids = new Set(known.map(({ id }) => id))
  const others = listed
    .filter((id) => !ids.has(id))
    .map((id) => {
      const key = id.replace(/[^\w.:@-]+/g, '-')
      return { id, key, entry: key === id ? dialect : { dialect, upstream: id }, row: undefined }
    })
  const isListed = new Set(listed)
  const isThere = ({ id }: Offer) => listed.length === 0 || isListed.has(id)
  return [...known.filter(isThere), ...others]
}

/** Returns the most frequent dialect of a preset, for models that it does not name. */
export function usualDialect(models: Readonly<Record<string, unknown>>): string {
  const dialects = Object.values(models).map((entry) =>
    typeof entry === 'string' ? entry : String(Object(entry).dialect ?? 'chat'),
  )
  const times = (one: string) => dialects.filter((other) => other === one).length
  return dialects.toSorted((one, other) => times(other) - times(one))[0] ?? 'chat'
}

/** Rows for a model without a price list. */
export const BLANK_PRICES: readonly Price[] = [
  { unit: 'input_token', usd_per_million: '' },
  { unit: 'output_token', usd_per_million: '' },
]

/**
 * Rounds the vendor's amount to the nearest millionth of a dollar, adds the markup and rounds up to a millionth. Empty
 * where the amount or the markup is not a number.
 */
export function markedUp(amount: string, percent: number): string {
  const micros = Math.round(Number(amount) * 1_000_000)
  if (amount.trim() === '' || !Number.isFinite(micros) || !Number.isFinite(percent)) return ''
  return String(Math.ceil((micros * (10_000 + Math.round(percent * 100))) / 10_000) / 1_000_000)
}

/** The member of a price that is an amount of money; a factor has none. */
export function amountName(price: Price): (typeof AMOUNTS)[number] | undefined {
  return AMOUNTS.find((name) => price[name] !== undefined)
}
