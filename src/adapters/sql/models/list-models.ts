import type { Kysely } from 'kysely'
import type { PricedModel } from '../../../domain/catalog/priced-model.ts'
import type { Tables } from '../tables.ts'
import { selectPricedModels, toPricedModels } from './priced-models.ts'

export async function listModels(db: Kysely<Tables>, _all: Record<string, never>): Promise<PricedModel[]> {
  return toPricedModels(await selectPricedModels(db).execute())
}
