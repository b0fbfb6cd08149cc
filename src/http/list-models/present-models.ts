import { type Model, splitModelName } from '../../domain/catalog/model.ts'

/** Two SDK families read this list, each with its own field names: a row carries both. */
export function presentModels(models: readonly Model[]): object {
  return {
    object: 'list',
    data: models.map(presentModel),
    has_more: false,
    first_id: models.at(0)?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
  }
}

function presentModel({ name, createdAtMs }: Model): object {
  const { provider, model } = splitModelName(name)
  return {
    id: name,
    object: 'model',
    type: 'model',
    created: Math.floor(createdAtMs / 1000),
    created_at: new Date(createdAtMs).toISOString(),
    owned_by: provider,
    display_name: model,
  }
}
