import { CALL_UNITS } from '@sluice/dialects/tools/call-units'
import type { Micros } from '../billing/micros.ts'

export const FACTOR_UNITS = [
  'priority_tier',
  'fast_speed',
  'flex_tier',
  'regional_inference',
  'long_context_input',
  'long_context_output',
] as const

export const PRICE_UNITS = [
  'video_token',
  'second',
  'input_token',
  'cached_input_token',
  'cache_write_token',
  'long_cache_write_token',
  'output_token',
  ...CALL_UNITS,
  ...FACTOR_UNITS,
] as const

export type PriceUnit = (typeof PRICE_UNITS)[number]
export type FactorUnit = (typeof FACTOR_UNITS)[number]

/** Price of one unit of a model. An attribute that is null matches any value; the most specific row wins. */
export interface PriceRow {
  unit: PriceUnit
  resolution: string | null
  videoInput: boolean | null
  audio: boolean | null
  /** Price for a second, a call, or a million tokens; a factor is in millionths. */
  priceMicros: Micros
}

export function amountNameOf(unit: PriceUnit): 'usd' | 'usd_per_million' | 'times' {
  if (isOneOf(FACTOR_UNITS, unit)) return 'times'
  return unit === 'second' || isOneOf(CALL_UNITS, unit) ? 'usd' : 'usd_per_million'
}

export function isOneOf<Unit extends PriceUnit>(units: readonly Unit[], unit: string): unit is Unit {
  return units.some((one) => one === unit)
}

/** ` 1080P ` and `1080p` are one resolution. */
export function plainResolution(resolution: string): string {
  return resolution.replaceAll(/\s/g, '').toLowerCase()
}

/** Label of a row: `second, resolution=1080p, video_input=true`. No two rows of a model share it. */
export function priceLabel(row: Omit<PriceRow, 'priceMicros'>): string {
  return [row.unit, ...attributesOf(row)].join(', ')
}

export function attributesOf(input: Pick<PriceRow, 'resolution' | 'videoInput' | 'audio'>): string[] {
  const { resolution, videoInput, audio } = input
  return [
    resolution === null ? undefined : `resolution=${plainResolution(resolution)}`,
    videoInput === null ? undefined : `video_input=${videoInput}`,
    audio === null ? undefined : `audio=${audio}`,
  ].filter((attribute) => attribute !== undefined)
}
