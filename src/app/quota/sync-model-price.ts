import { formatUsdDecimal } from '../../domain/billing/usd.ts'
import type { PricedModel } from '../../domain/catalog/priced-model.ts'
import type { Cache } from '../../ports/cache.ts'
import type { ModelStore } from '../../ports/models.ts'
import { publishQuotaChange } from './quota-news.ts'
import type { QuotaSync } from './quota-sync.ts'

/** Nobody is charged by an entry: it shows other programs the prices in force, and may vanish. */
const ENTRY_LIFE_MS = 24 * 3_600_000

/** Brings the cached prices of a model in line with its rows and has every replica read them again. */
export function syncModelPrice({
  models,
  cache,
}: {
  models: Pick<ModelStore, 'find'>
  cache: Cache
}): QuotaSync['modelPrice'] {
  return async (modelId) => {
    const model = await models.find(modelId)
    const key = `sluice:{model:${modelId}}:price`
    if (model === undefined) await cache.delete(key)
    else await cache.set(key, JSON.stringify(presentPrices(model)), { ttlMs: ENTRY_LIFE_MS })
    await publishQuotaChange(cache, { kind: 'model', id: modelId })
  }
}

function presentPrices({ modelId, name, prices }: PricedModel) {
  return {
    model_id: modelId,
    name,
    prices: prices.map((row) => ({
      unit: row.unit,
      resolution: row.resolution ?? '*',
      video_input: row.videoInput ?? '*',
      audio: row.audio ?? '*',
      [row.unit === 'second' ? 'usd' : 'usd_per_million']: formatUsdDecimal(row.priceMicros),
    })),
  }
}
