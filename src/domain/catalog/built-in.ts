import { parseUsdMicros } from '../billing/usd.ts'
import type { PricedModel } from './model.ts'
import type { ModelEndpoint } from './model-endpoints.ts'
import type { PriceRow } from './price-row.ts'

/** First number of Sluice's own models beside the contract's twelve. Models that operators add get smaller numbers. */
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

/** The last four are prices for a million tokens. */
type TextModelRow = readonly [
  modelId: number,
  name: string,
  maxOutputTokens: number,
  contextTokens: number,
  input: string,
  cachedInput: string,
  output: string,
  cacheWrite?: string,
]

const TEXT_MODELS: readonly TextModelRow[] = [
  [6, 'vendorC/model-5.3-codex', 128_000, 400_000, '1.25', '0.125', '10'],
  [7, 'vendorC/model-4.1', 32_768, 1_047_576, '2', '0.5', '8'],
  [8, 'vendorC/model-4.1-mini', 32_768, 1_047_576, '0.4', '0.1', '1.6'],
  [9, 'vendorC/model-o3', 100_000, 200_000, '2', '0.5', '8'],
  [10, 'vendorC/model-o4-mini', 100_000, 200_000, '1.1', '0.275', '4.4'],
  [11, 'vendorD/text-large', 64_000, 1_000_000, '3', '0.3', '15', '3.75'],
  [12, 'vendorD/text-small', 64_000, 200_000, '1', '0.1', '5', '1.25'],
]

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
  ...TEXT_MODELS.map(textModel),
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

function textModel(model: TextModelRow): BuiltIn {
  const [modelId, name, maxOutputTokens, contextTokens, input, cachedInput, output, cacheWrite] = model
  const prices = [
    row('input_token', input),
    row('cached_input_token', cachedInput),
    ...(cacheWrite === undefined ? [] : [row('cache_write_token', cacheWrite)]),
    row('output_token', output),
  ]
  return { modelId, name, maxOutputTokens, contextTokens, prices }
}

function row(unit: PriceRow['unit'], usd: string, attributes: Partial<PriceRow> = {}): PriceRow {
  const priceMicros = parseUsdMicros(usd)
  if (priceMicros === undefined) throw new RangeError(`${usd} is not an amount of US dollars`)
  return { unit, resolution: null, videoInput: null, audio: null, ...attributes, priceMicros }
}
