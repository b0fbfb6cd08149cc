import type { Kysely } from 'kysely'
import type { PricedModel } from '../../../domain/catalog/priced-model.ts'
import type { Tables } from '../tables.ts'
import { selectPricedModels, toPricedModels } from './priced-models.ts'

/** What the column can hold on every engine: a larger number is nobody's, and no fault of the store. */
const MODEL_ID_MAX = 2_147_483_647

export async function findModel(
  db: Kysely<Tables>,
  { modelId }: { modelId: number },
): Promise<PricedModel | undefined> {
  if (modelId > MODEL_ID_MAX) return undefined
  const rows = await selectPricedModels(db).where('models.model_id', '=', modelId).execute()
  return toPricedModels(rows)[0]
}
