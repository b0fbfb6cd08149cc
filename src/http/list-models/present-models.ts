import type { Model } from '../../domain/catalog/model.ts'
import { presentModel } from './present-model.ts'

/** One page that holds everything: whoever asks for the page after it has it already. */
export function presentModels(models: readonly Model[]): object {
  return {
    object: 'list',
    data: models.map(presentModel),
    has_more: false,
    first_id: models.at(0)?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
  }
}
