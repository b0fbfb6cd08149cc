import type { OfferedModel } from '../../../domain/catalog/model.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { type EdgeReply, SizedText } from '../../edge-reply.ts'
import { clientOperation } from '../../operation.ts'
import { ModelRow, presentModel } from './present-model.ts'

export const listModels = clientOperation('listModels', 'GET /v1/models', 'responses', {
  isHot: true,
  summary: 'List the models',
  description:
    'Exactly the models that the key can use, with their aliases, on one page whatever `limit`, `after_id` or `before_id` say. The SDKs of OpenAI and Anthropic can read the rows.',
  replies: {
    200: {
      description: 'The models.',
      schema: json.object({
        object: json.literal('list'),
        data: json.array(ModelRow),
        has_more: json.literal(false),
        first_id: json.nullable(json.string()),
        last_id: json.nullable(json.string()),
      }),
    },
  },
  handle({ app }) {
    // `listModels` returns the same array until the catalog changes, or until a row with `allowedModels` is read again.
    const written = new WeakMap<readonly OfferedModel[], SizedText>()
    const send = (models: readonly OfferedModel[], reply: EdgeReply) => {
      let body = written.get(models)
      if (body === undefined) {
        body = new SizedText(JSON.stringify(presentModels(models)))
        written.set(models, body)
      }
      reply.type('application/json; charset=utf-8').send(body)
    }
    return ({ caller }, reply) => {
      const models = app.listModels(caller)
      return models instanceof Promise ? models.then((read) => send(read, reply)) : send(models, reply)
    }
  },
})

/** One page with all models, so there is never a next page. */
function presentModels(models: readonly OfferedModel[]): object {
  return {
    object: 'list',
    data: models.map(presentModel),
    has_more: false,
    first_id: models.at(0)?.name ?? null,
    last_id: models.at(-1)?.name ?? null,
  }
}
