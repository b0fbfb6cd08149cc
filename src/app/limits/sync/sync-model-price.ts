import { formatUsdDecimal } from '../../../domain/billing/usd.ts'
import type { PricedModel } from '../../../domain/catalog/model.ts'
import { pricedAt } from '../../../domain/catalog/priced-at.ts'
import type { Cache } from '../../../ports/cache.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ModelStore } from '../../../ports/models.ts'
import type { QuotaSync } from './announce-quota-change.ts'
import { copyEntry } from './copy-entry.ts'
import { publishQuotaChange } from './invalidations.ts'

/** Copies the prices of a model into the cache and has every replica read its rows again. */
export function syncModelPrice(tools: {
  models: Pick<ModelStore, 'find'>
  cache: Cache
  clock: Pick<Clock, 'nowMs'>
}): QuotaSync['modelPrice'] {
  const { models, cache, clock } = tools
  return async (modelId) => {
    const read = async () => {
      const model = await models.find(modelId)
      return model && presentPrices(pricedAt(model, clock.nowMs()))
    }
    await copyEntry({ cache, key: `sluice:{model:${modelId}}:price`, read })
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
