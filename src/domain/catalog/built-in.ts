import { parseUsdMicros } from '../billing/usd.ts'
import type { PricedModel } from './model.ts'
import type { ModelEndpoint } from './model-endpoints.ts'
import type { PriceRow } from './price-row.ts'

/** First number of the models that Sluice adds to the contract's twelve. Catalogs keep all smaller numbers. */
export const FIRST_OWN_MODEL_ID = 1_000_000

/** The catalog of a new store; operators change it with `sluice apply`. */
export function builtInModels(createdAtMs: number): PricedModel[] {
  return BUILT_IN.map(({ modelId, name, endpoints = null, maxOutputTokens, contextTokens, prices }) => ({
    modelId,
    name,
    endpoints,
    maxOutputTokens: maxOutputTokens ?? null,
    ...(contextTokens === undefined ? {} : { contextTokens }),
    createdAtMs,
    prices,
  }))
}

interface BuiltIn {
  modelId: number
  name: string
  endpoints?: readonly ModelEndpoint[]
  maxOutputTokens?: number
  contextTokens?: number
  prices: readonly PriceRow[]
}

/** Prices in US dollars, for a second or for a million tokens. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    modelId: 1,
    name: 'vendorA/gen-2.0',
    prices: [
      row('video_token', '7', { videoInput: false }),
      row('video_token', '4.3', { videoInput: true }),
      row('video_token', '7.7', { videoInput: false, resolution: '1080p' }),
      row('video_token', '4.7', { videoInput: true, resolution: '1080p' }),
    ],
  },
  {
    modelId: 2,
    name: 'vendorA/gen-2.0-fast',
    prices: [
      row('video_token', '5.6', { videoInput: false }),
      row('video_token', '3.3', { videoInput: true }),
    ],
  },
  {
    modelId: 3,
    name: 'vendorB/gen-v4-std',
    prices: [
      ...seconds({ videoInput: false, usd: ['0.11', '0.14', '0.35'] }),
      ...seconds({ videoInput: true, usd: ['0.18', '0.25', '0.625'] }),
    ],
  },
  {
    modelId: 4,
    name: 'vendorB/gen-v4-fast',
    prices: [
      ...seconds({ videoInput: false, usd: ['0.08', '0.11', '0.275'] }),
      ...seconds({ videoInput: true, usd: ['0.15', '0.2', '0.5'] }),
    ],
  },
  { modelId: 5, name: 'vendorB/gen-v3', prices: [row('second', '0.04')] },
  {
    modelId: 6,
    name: 'vendorC/model-5.3-codex',
    maxOutputTokens: 128_000,
    contextTokens: 400_000,
    prices: tokens({ input: '1.25', cached: '0.125', output: '10' }),
  },
  {
    modelId: 7,
    name: 'vendorC/model-4.1',
    maxOutputTokens: 32_768,
    contextTokens: 1_047_576,
    prices: tokens({ input: '2', cached: '0.5', output: '8' }),
  },
  {
    modelId: 8,
    name: 'vendorC/model-4.1-mini',
    maxOutputTokens: 32_768,
    contextTokens: 1_047_576,
    prices: tokens({ input: '0.4', cached: '0.1', output: '1.6' }),
  },
  {
    modelId: 9,
    name: 'vendorC/model-o3',
    maxOutputTokens: 100_000,
    contextTokens: 200_000,
    prices: tokens({ input: '2', cached: '0.5', output: '8' }),
  },
  {
    modelId: 10,
    name: 'vendorC/model-o4-mini',
    maxOutputTokens: 100_000,
    contextTokens: 200_000,
    prices: tokens({ input: '1.1', cached: '0.275', output: '4.4' }),
  },
  {
    modelId: 11,
    name: 'vendorD/text-large',
    maxOutputTokens: 64_000,
    contextTokens: 1_000_000,
    prices: tokens({ input: '3', cached: '0.3', cacheWrite: '3.75', output: '15' }),
  },
  {
    modelId: 12,
    name: 'vendorD/text-small',
    maxOutputTokens: 64_000,
    contextTokens: 200_000,
    prices: tokens({ input: '1', cached: '0.1', cacheWrite: '1.25', output: '5' }),
  },
  {
    modelId: FIRST_OWN_MODEL_ID,
    name: 'vendorC/embed-small',
    endpoints: ['embeddings'],
    prices: [row('input_token', '0.02')],
  },
]

function seconds({ videoInput, usd }: { videoInput: boolean; usd: [string, string, string] }): PriceRow[] {
  const [at480p, at720p, at1080p] = usd
  return [
    row('second', at480p, { videoInput, resolution: '480p' }),
    row('second', at720p, { videoInput, resolution: '720p' }),
    row('second', at1080p, { videoInput, resolution: '1080p' }),
  ]
}

function tokens(usd: { input: string; cached: string; cacheWrite?: string; output: string }): PriceRow[] {
  return [
    row('input_token', usd.input),
    row('cached_input_token', usd.cached),
    ...(usd.cacheWrite === undefined ? [] : [row('cache_write_token', usd.cacheWrite)]),
    row('output_token', usd.output),
  ]
}

function row(unit: PriceRow['unit'], usd: string, attributes: Partial<PriceRow> = {}): PriceRow {
  const priceMicros = parseUsdMicros(usd)
  if (priceMicros === undefined) throw new RangeError(`${usd} is not an amount of US dollars`)
  return { unit, resolution: null, videoInput: null, audio: null, ...attributes, priceMicros }
}
