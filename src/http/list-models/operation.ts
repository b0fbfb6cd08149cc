import type { Model } from '../../domain/catalog/model.ts'
import { json } from '../json-schema.ts'
import type { Operation } from '../operation.ts'
import { presentModels } from './present-models.ts'

const Row = json.object({
  id: json.string({ description: '`<provider>/<model_name>`' }),
  object: json.literal('model'),
  type: json.literal('model'),
  created: json.integer({ description: 'Unix seconds' }),
  created_at: json.string({ format: 'date-time' }),
  owned_by: json.string({ description: 'The provider.' }),
  display_name: json.string(),
})

export const listModels: Operation = {
  id: 'listModels',
  method: 'GET',
  path: '/v1/models',
  area: 'responses',
  access: 'api-key',
  summary: 'List the models',
  description: 'Every model of the catalog, on one page. Both families of SDKs can read the rows.',
  replies: {
    200: {
      description: 'The models.',
      schema: json.object({
        object: json.literal('list'),
        data: json.array(Row),
        has_more: json.literal(false),
        first_id: json.nullable(json.string()),
        last_id: json.nullable(json.string()),
      }),
    },
  },
  handle({ app }) {
    // The catalog is the same array for as long as it does not change, and so is the answer.
    // Kept as text, which Node joins with the head into one write; bytes would be a second one.
    const presented = new WeakMap<readonly Model[], string>()
    return async (_request, reply) => {
      const models = await app.listModels()
      let body = presented.get(models)
      if (body === undefined) {
        body = JSON.stringify(presentModels(models))
        presented.set(models, body)
      }
      return reply.type('application/json; charset=utf-8').send(body)
    }
  },
}
