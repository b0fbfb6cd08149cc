import { describe, expect, test } from 'vitest'
import { FOCUS_COLUMNS, type FocusRow, focusRow } from './focus-row.ts'

const DAY_MS = Date.UTC(2026, 10, 30)

const use = {
  ...{ dayMs: DAY_MS, organizationId: 'org_1', organizationName: 'Acme', userId: 'usr_1', keyId: 'key_1' },
  ...{ model: 'vendorC/model-4.1', line: { unit: 'input_token', priceMicros: 2_000_000 } },
  ...{ quantity: 1_234_567, billedMicros: 2_469_134 },
}

/** Text, video and credits, whole and odd amounts, and charges from before users, keys and units were kept. */
const ROWS: [string, FocusRow][] = [
  ['input tokens', focusRow(use)],
  ['cached input tokens', focusRow({ ...use, line: { unit: 'cached_input_token', priceMicros: 1 } })],
  ['a free model', focusRow({ ...use, line: { unit: 'output_token', priceMicros: 0 }, billedMicros: 0 })],
  ['seconds of video', focusRow({ ...use, line: { unit: 'second', priceMicros: 33_333 }, quantity: 5.04 })],
  ['credits', focusRow({ ...use, line: { unit: 'credit', priceMicros: 10_000 }, quantity: 12 })],
  ['video tokens', focusRow({ ...use, line: { unit: 'video_token', priceMicros: 7 }, quantity: 9e9 })],
  ['an old request', focusRow({ ...use, line: { unit: 'request', priceMicros: 5 }, quantity: 1 })],
  ['no user and no key', focusRow({ ...use, userId: '', keyId: '', organizationName: '' })],
]

/**
 * Columns that version 1.2 requires in every dataset, or in one with prices, usage, resources or sub accounts, like
 * ours.
 */
const PRESENT = [
  ...['BilledCost', 'BillingAccountId', 'BillingAccountName', 'BillingCurrency', 'BillingPeriodEnd'],
  ...['BillingPeriodStart', 'ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargePeriodEnd'],
  ...['ChargePeriodStart', 'ContractedCost', 'EffectiveCost', 'InvoiceIssuerName', 'ListCost'],
  ...['PricingQuantity', 'PricingUnit', 'ProviderName', 'PublisherName', 'ServiceCategory', 'ServiceName'],
  ...['ConsumedQuantity', 'ConsumedUnit', 'ContractedUnitPrice', 'ListUnitPrice', 'PricingCategory'],
  ...['ResourceId', 'ResourceType', 'SkuId', 'SkuMeter', 'SkuPriceId', 'SubAccountId', 'SubAccountName'],
]

/** Columns that the specification allows to be null in a row of the category `Usage` that corrects nothing. */
const MAY_BE_NULL = new Set([
  ...['ChargeClass', 'ResourceId', 'ResourceType', 'SubAccountId', 'SubAccountName', 'SubAccountType'],
])

/** Values and formats of columns that the specification allows. */
const FORMATS: Partial<Record<keyof FocusRow, RegExp>> = {
  BillingCurrency: /^[A-Z]{3}$/,
  ChargeCategory: /^Usage$/,
  ChargeClass: /^$/,
  ChargeFrequency: /^(One-Time|Recurring|Usage-Based)$/,
  PricingCategory: /^(Standard|Dynamic|Committed|Other)$/,
  ServiceCategory: /^AI and Machine Learning$/,
  ServiceSubcategory:
    /^(AI Platforms|Bots|Generative AI|Machine Learning|Natural Language Processing|Other.*)$/,
}

test('every required column of version 1.2 exists once, in Pascal case', () => {
  expect(FOCUS_COLUMNS).toEqual(expect.arrayContaining(PRESENT))
  expect(new Set<string>(FOCUS_COLUMNS).size).toBe(FOCUS_COLUMNS.length)
  for (const column of FOCUS_COLUMNS) expect(column).toMatch(/^([A-Z][a-z]+)+$/)
})

describe.each(ROWS)('the row of %s', (_name, row) => {
  test('has exactly these columns, and null only where it is allowed', () => {
    expect(Object.keys(row).toSorted()).toEqual(FOCUS_COLUMNS.toSorted())
    const nulls = FOCUS_COLUMNS.filter((column) => row[column] === '')
    expect(nulls.filter((column) => !MAY_BE_NULL.has(column))).toEqual([])
  })

  test('has values in the formats of their columns', () => {
    for (const [column, format] of Object.entries(FORMATS)) expect(Object(row)[column]).toMatch(format)
    for (const [column, value] of Object.entries(row)) {
      if (/(Cost|Price|Quantity)$/.test(column)) expect(value).toMatch(/^-?\d+(\.\d+)?$/)
      if (/Period(Start|End)$/.test(column)) expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      // A unit is plural and begins with a capital, with a number before it where it is a block.
      if (/^(Consumed|Pricing)Unit$/.test(column)) expect(value).toMatch(/^(\d+ )?[A-Z][a-z]+s$/)
    }
  })

  test('charges within its billing period, which is a month', () => {
    expect(row.ChargePeriodStart >= row.BillingPeriodStart).toBe(true)
    expect(row.ChargePeriodEnd <= row.BillingPeriodEnd).toBe(true)
    expect([row.BillingPeriodStart, row.BillingPeriodEnd]).toEqual([
      '2026-11-01T00:00:00Z',
      '2026-12-01T00:00:00Z',
    ])
  })

  test('multiplies: unit price by pricing quantity is the cost, exactly', () => {
    const product = exact(row.ContractedUnitPrice) * exact(row.PricingQuantity)
    expect(product).toBe(exact(row.ContractedCost) * SCALE)
    expect(exact(row.ListUnitPrice) * exact(row.PricingQuantity)).toBe(exact(row.ListCost) * SCALE)
    const block = BigInt(/^\d+/.exec(row.PricingUnit)?.[0] ?? '1')
    expect(exact(row.PricingQuantity) * block).toBe(exact(row.ConsumedQuantity))
  })

  test('has a type and a name exactly when it has an id', () => {
    expect(row.ResourceType === '').toBe(row.ResourceId === '')
    expect([row.SubAccountName === '', row.SubAccountType === '']).toEqual(
      Array(2).fill(row.SubAccountId === ''),
    )
    expect(row.SkuMeter === '').toBe(row.SkuId === '')
  })
})

test('1,234,567 input tokens at 2 USD a million are billed at 2,469,134 micros', () => {
  expect(focusRow(use)).toMatchObject({
    ...{ BilledCost: '2.469134', EffectiveCost: '2.469134', ListCost: '2.469134', ListUnitPrice: '2' },
    ...{ ConsumedQuantity: '1234567', ConsumedUnit: 'Tokens' },
    ...{ PricingQuantity: '1.234567', PricingUnit: '1000000 Tokens', SkuMeter: 'Input Tokens' },
  })
})

const PLACES = 12
const SCALE = 10n ** BigInt(PLACES)

/** In units of `10 ** -PLACES`. */
function exact(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}
