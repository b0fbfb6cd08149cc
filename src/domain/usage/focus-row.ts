/** One row of the FinOps Open Cost and Usage Specification 1.2, in the order of its CSV columns; '' is null. */
export type FocusRow = Record<(typeof FOCUS_COLUMNS)[number], string>

export const FOCUS_COLUMNS = [
  ...(['BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingAccountType'] as const),
  ...([
    'BillingCurrency',
    'BillingPeriodEnd',
    'BillingPeriodStart',
    'ChargeCategory',
    'ChargeClass',
  ] as const),
  ...(['ChargeDescription', 'ChargeFrequency', 'ChargePeriodEnd', 'ChargePeriodStart'] as const),
  ...([
    'ConsumedQuantity',
    'ConsumedUnit',
    'ContractedCost',
    'ContractedUnitPrice',
    'EffectiveCost',
  ] as const),
  ...(['InvoiceIssuerName', 'ListCost', 'ListUnitPrice', 'PricingCategory', 'PricingQuantity'] as const),
  ...(['PricingUnit', 'ProviderName', 'PublisherName', 'ResourceId', 'ResourceType'] as const),
  ...(['ServiceCategory', 'ServiceName', 'ServiceSubcategory', 'SkuId', 'SkuMeter', 'SkuPriceId'] as const),
  ...(['SubAccountId', 'SubAccountName', 'SubAccountType'] as const),
]

export interface FocusUse {
  dayMs: number
  organizationId: string
  organizationName: string
  userId: string
  keyId: string
  model: string
  line: { unit: string; priceMicros: number }
  quantity: number
  billedMicros: number
}

/** The contracted cost is the exact product of price and quantity; the billed cost is in whole micros. */
export function focusRow(use: FocusUse): FocusRow {
  const { dayMs, organizationId, userId, keyId, model, line, quantity } = use
  const isTokens = line.unit.endsWith('_token')
  const unit = UNITS[line.unit] ?? (isTokens ? 'Tokens' : 'Requests')
  // Tokens are priced by the million, so each is a millionth of a pricing unit.
  const millionths = isTokens ? BigInt(Math.round(quantity)) : BigInt(Math.round(quantity * 1_000_000))
  const billed = decimal(BigInt(use.billedMicros), 6)
  const price = decimal(BigInt(line.priceMicros), 6)
  const cost = decimal(millionths * BigInt(line.priceMicros), 12)
  const month = new Date(dayMs).toISOString().slice(0, 7)
  return {
    BilledCost: billed,
    BillingAccountId: organizationId,
    BillingAccountName: use.organizationName || organizationId,
    BillingAccountType: 'Organization',
    BillingCurrency: 'USD',
    BillingPeriodEnd: iso(nextMonth(month)),
    BillingPeriodStart: `${month}-01T00:00:00Z`,
    ChargeCategory: 'Usage',
    ChargeClass: '',
    ChargeDescription: `${meterOf(line.unit)} of ${model}`,
    ChargeFrequency: 'Usage-Based',
    ChargePeriodEnd: iso(dayMs + 86_400_000),
    ChargePeriodStart: iso(dayMs),
    ConsumedQuantity: isTokens ? String(Math.round(quantity)) : decimal(millionths, 6),
    ConsumedUnit: unit,
    ContractedCost: cost,
    ContractedUnitPrice: price,
    EffectiveCost: billed,
    InvoiceIssuerName: 'Sluice',
    ListCost: cost,
    ListUnitPrice: price,
    PricingCategory: 'Standard',
    PricingQuantity: decimal(millionths, 6),
    PricingUnit: isTokens ? '1000000 Tokens' : unit,
    ProviderName: 'Sluice',
    PublisherName: model.split('/')[0] ?? model,
    ResourceId: keyId,
    ResourceType: keyId === '' ? '' : 'API key',
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: model,
    ServiceSubcategory: 'Generative AI',
    SkuId: model,
    SkuMeter: meterOf(line.unit),
    SkuPriceId: `${model}:${line.unit}:${line.priceMicros}`,
    SubAccountId: userId,
    SubAccountName: userId,
    SubAccountType: userId === '' ? '' : 'User',
  }
}

const UNITS: Readonly<Record<string, string>> = { second: 'Seconds', credit: 'Credits' }

/** `cached_input_token` is measured as `Cached Input Tokens`. */
function meterOf(unit: string): string {
  const words = unit.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  return `${words.join(' ')}s`
}

/** The shortest decimal of a whole number of `10 ** -places`. */
function decimal(value: bigint, places: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  const whole = `${sign}${digits.slice(0, -places)}`
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function nextMonth(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
