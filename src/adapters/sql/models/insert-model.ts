import type { Kysely } from 'kysely'
import type { Model } from '../../../domain/catalog/model.ts'
import type { PriceRow } from '../../../domain/catalog/price-row.ts'
import type { Tables } from '../tables.ts'
import { fromPriceRow } from './to-price-row.ts'

export async function insertModel(db: Kysely<Tables>, model: Model): Promise<void> {
  await db
    .insertInto('models')
    .values({
      model_id: model.modelId,
      name: model.name,
      ...changeableColumns(model),
      created_at_ms: model.createdAtMs,
    })
    .execute()
}

/** What an existing model may be given anew. */
export function changeableColumns(model: Model) {
  const { endpoints, maxOutputTokens, contextTokens, fallbacks = [] } = model
  const { likeModel, fallbackPrice, longContextTokens } = model
  return {
    endpoints: endpoints === null ? null : JSON.stringify(endpoints),
    max_output_tokens: maxOutputTokens,
    like_model: likeModel ?? null,
    context_tokens: contextTokens ?? null,
    fallbacks: fallbacks.length === 0 ? null : JSON.stringify(fallbacks),
    fallback_price: fallbackPrice ?? null,
    long_context_tokens: longContextTokens ?? null,
  }
}

export async function insertPrices(
  db: Kysely<Tables>,
  { modelId, prices }: { modelId: number; prices: readonly PriceRow[] },
): Promise<void> {
  if (prices.length === 0) return
  await db
    .insertInto('model_prices')
    .values(prices.map((row) => fromPriceRow(modelId, row)))
    .execute()
}
