import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Model } from '../../domain/catalog/model.ts'
import { json } from '../json-schema.ts'
import type { Operation } from '../operation.ts'
import { type PreparedAnswer, prepareJson, sendPrepared } from '../send-prepared.ts'
import { ModelRow } from './present-model.ts'
import { presentModels } from './present-models.ts'

export const listModels: Operation = {
  id: 'listModels',
  method: 'GET',
  path: '/v1/models',
  area: 'responses',
  access: 'api-key',
  summary: 'List the models',
  description:
    'Every model that can be used, on one page whatever `limit`, `after_id` or `before_id` say. Both families of SDKs can read the rows.',
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
    // What an organization can use is the same array for as long as it does not change, and so is the answer.
    const prepared = new WeakMap<readonly Model[], PreparedAnswer>()
    const send = (request: FastifyRequest, reply: FastifyReply, models: readonly Model[]) => {
      let answer = prepared.get(models)
      if (answer === undefined) {
        answer = prepareJson(presentModels(models))
        prepared.set(models, answer)
      }
      sendPrepared(request, reply, answer)
    }
    return (request, reply) => {
      const models = app.listModels(request.caller.organizationId)
      if (models instanceof Promise) return models.then((read) => send(request, reply, read))
      send(request, reply, models)
    }
  },
}
