import { priceJson } from '../../../app/views/models.ts'
import { kindOf, MODEL_KINDS } from '../../../domain/catalog/endpoints-of.ts'
import { type OfferedModel, splitModelName } from '../../../domain/catalog/model.ts'
import { PRICE_UNITS } from '../../../domain/catalog/price-row.ts'
import { json } from '../../../domain/json/json-schema.ts'

const Price = json.object({
  unit: json.oneOf(PRICE_UNITS, { description: 'The unit that the price is for.' }),
  resolution: json.nullable(json.string(), {
    description: 'The resolution of a video that the price is for. null: every resolution.',
  }),
  video_input: json.nullable(json.boolean(), {
    description: 'Whether the request contains a video. null: the price is for both cases.',
  }),
  audio: json.nullable(json.boolean(), {
    description: 'Whether the finished video has sound. null: the price is for both cases.',
  }),
  usd: json.optional(json.number({ description: 'US dollars for a second or a call.' })),
  usd_per_million: json.optional(json.number({ description: 'US dollars for a million tokens.' })),
  times: json.optional(json.number({ description: 'Multiplies the prices of tokens.' })),
})

/** Two SDK families read models, each with its own field names: a row has both. */
export const ModelRow = json.object({
  id: json.string({ description: '`<provider>/<model_name>`, or an alias.' }),
  alias_of: json.optional(json.string({ description: 'The `id` of the model that the alias stands for.' })),
  object: json.literal('model'),
  type: json.literal('model'),
  created: json.integer({ description: 'Unix seconds' }),
  created_at: json.string({ format: 'date-time' }),
  owned_by: json.string({ description: 'The provider.' }),
  display_name: json.string(),
  kind: json.oneOf(MODEL_KINDS, { description: 'The kind of reply that the model gives.' }),
  context_tokens: json.optional(
    json.integer({
      description: 'Tokens that the model can read and write in one request. Absent when not known.',
    }),
  ),
  prices: json.array(Price, {
    description: 'The prices of the model. When several rows apply, the one with most attributes counts.',
  }),
})

export function presentModel(row: OfferedModel): object {
  const { name, aliasOf, createdAtMs, contextTokens, prices } = row
  const { provider, model } = splitModelName(aliasOf ?? name)
  return {
    id: name,
    ...(aliasOf === undefined ? {} : { alias_of: aliasOf }),
    object: 'model',
    type: 'model',
    created: Math.floor(createdAtMs / 1000),
    created_at: new Date(createdAtMs).toISOString(),
    owned_by: provider,
    display_name: aliasOf === undefined ? model : name,
    kind: kindOf({ ...row, name: aliasOf ?? name }),
    ...(contextTokens === undefined ? {} : { context_tokens: contextTokens }),
    prices: prices.map(priceJson),
  }
}
