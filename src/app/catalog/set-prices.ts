import { ApiError } from '../../domain/api-error.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'
import { amountNameOf, type PriceRow, plainResolution, priceLabel } from '../../domain/catalog/price-row.ts'
import { requireRow } from '../access/no-such.ts'
import type { Operator } from '../operator.ts'

type PriceInput = Parameters<Operator['setPrices']>[0]['prices'][number]

/** Acts like a catalog file with one model and its prices, and writes an equal audit row. */
export function setPrices(input: Pick<Operator, 'listModels' | 'applyCatalog'>): Operator['setPrices'] {
  const { listModels, applyCatalog } = input
  return async ({ modelId, prices }) => {
    const found = (await listModels()).find((each) => each.modelId === modelId)
    const { name } = requireRow(found, 'model', String(modelId))
    const kept = { modelId, name, endpoints: undefined, maxOutputTokens: undefined, fallbacks: undefined }
    const [planned] = await applyCatalog([{ ...kept, prices: rowsOf(prices) }])
    if (planned === undefined) throw new Error('applyCatalog returned no plan for the model')
    return planned
  }
}

function rowsOf(prices: readonly PriceInput[]): PriceRow[] {
  const rows = prices.map(rowOf)
  const labels = rows.map(priceLabel)
  const twice = labels.findIndex((label, index) => labels.indexOf(label) !== index)
  if (twice >= 0) throw invalid(twice, `is the second price of ${labels[twice]}.`)
  return rows
}

/** Tokens are priced by the million, other units singly. An amount under the wrong name would be wrong by that factor. */
function rowOf({ unit, resolution, videoInput, audio, amounts }: PriceInput, index: number): PriceRow {
  const right = amountNameOf(unit)
  const given = Object.entries(amounts).flatMap(([name, amount]) => (amount === undefined ? [] : [name]))
  if (given.join() !== right) throw invalid(index, `needs ${right}, and no other amount, for ${unit}.`)
  const priceMicros = parseUsdMicros(String(amounts[right]))
  if (priceMicros === undefined) throw invalid(index, `has more than six decimals in ${right}.`)
  const isOfVideo = unit === 'video_token' || unit === 'second'
  if (!isOfVideo && (resolution !== null || videoInput !== null || audio !== null))
    throw invalid(index, `has attributes that only videos have: leave them out for ${unit}.`)
  return {
    unit,
    resolution: resolution === null ? null : plainResolution(resolution),
    videoInput,
    audio,
    priceMicros,
  }
}

function invalid(index: number, fault: string): ApiError {
  const param = `prices[${index}]`
  return new ApiError('invalid_parameter', { param, message: `${param} ${fault}` })
}
