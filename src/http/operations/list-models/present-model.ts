import { type Model, splitModelName } from '../../../domain/catalog/model.ts'
import { json } from '../../schema/json-schema.ts'

/** Two SDK families read models, each with its own field names: a row carries both. */
export const ModelRow = json.object({
  id: json.string({ description: '`<provider>/<model_name>`' }),
  object: json.literal('model'),
  type: json.literal('model'),
  created: json.integer({ description: 'Unix seconds' }),
  created_at: json.string({ format: 'date-time' }),
  owned_by: json.string({ description: 'The provider.' }),
  display_name: json.string(),
  context_tokens: json.optional(
    json.integer({
      description: 'How many tokens the model can read and write in one request, where known.',
    }),
  ),
})

export function presentModel({ name, createdAtMs, contextTokens }: Model): object {
  const { provider, model } = splitModelName(name)
  return {
    id: name,
    object: 'model',
    type: 'model',
    created: Math.floor(createdAtMs / 1000),
    created_at: new Date(createdAtMs).toISOString(),
    owned_by: provider,
    display_name: model,
    ...(contextTokens === undefined ? {} : { context_tokens: contextTokens }),
  }
}
