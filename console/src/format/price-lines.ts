import { usd } from './format.ts'

/** A row of `prices` or `vendor_prices` of the admin API. */
export interface Price {
  unit?: unknown
  resolution?: unknown
  video_input?: unknown
  audio?: unknown
  usd?: unknown
  usd_per_million?: unknown
  times?: unknown
}

export interface PriceLine {
  /** Unit and attributes, such as `second, 720p, no video input`. */
  sold: string
  ours: string
  /** Empty where the catalog has no vendor's price. */
  vendors: string
  /** Part of our price that is left after the vendor's price, such as 0.2; undefined: it is unknown. */
  margin: number | undefined
}

const ATTRIBUTES = ['resolution', 'video_input', 'audio'] as const

/** Lists our prices, each with the vendor's price for the same unit. `t` names units and attributes. */
export function priceLines(
  prices: readonly Price[],
  vendorPrices: readonly Price[],
  t: (name: string) => string = String,
): PriceLine[] {
  return prices.map((price) => {
    const vendors = vendorPrices
      .filter((one) => one.unit === price.unit && ATTRIBUTES.every((name) => fits(one[name], price[name])))
      .toSorted((one, other) => named(other) - named(one))[0]
    return {
      sold: soldText(price, t),
      ours: amountText(price),
      vendors: vendors === undefined ? '' : amountText(vendors),
      margin: marginOf(price, vendors),
    }
  })
}

/** A vendor's row without an attribute applies to every value of this attribute. */
function fits(vendors: unknown, ours: unknown): boolean {
  return isAny(vendors) || vendors === ours
}

function named(price: Price): number {
  return ATTRIBUTES.filter((name) => !isAny(price[name])).length
}

function isAny(attribute: unknown): boolean {
  return attribute === null || attribute === undefined
}

/** A factor multiplies other prices: it has no margin of its own. */
function marginOf(ours: Price, vendors: Price | undefined): number | undefined {
  const [price, cost] = [ours, vendors].map((row) => row?.usd ?? row?.usd_per_million)
  return typeof price === 'number' && typeof cost === 'number' && price > 0
    ? Math.round((1 - cost / price) * 10_000) / 10_000
    : undefined
}

function soldText(price: Price, t: (name: string) => string): string {
  const { unit, resolution, video_input, audio } = price
  const flag = (value: unknown, name: string) =>
    isAny(value) ? [] : [t(value === true ? name : `no_${name}`)]
  const attributes = [
    ...(isAny(resolution) ? [] : [String(resolution)]),
    ...flag(video_input, 'video_input'),
    ...flag(audio, 'audio'),
  ]
  return [t(String(unit)), ...attributes].join(', ')
}

function amountText({ usd: each, usd_per_million, times }: Price): string {
  if (times !== undefined) return `× ${times}`
  const text = usd(Math.round(Number(usd_per_million ?? each) * 1_000_000))
  return usd_per_million === undefined ? text : `${text} / 1M`
}
