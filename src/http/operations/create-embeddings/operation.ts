import { checkEmbeddings, EMBEDDINGS_VALUES_MAX, INPUTS_MAX } from '@sluice/dialects/embeddings-request'
import { LightEmbeddings } from '../../../app/text/contract/embeddings-body.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { readIdempotencyKey } from '../../schema/read-idempotency-key.ts'
import { REPLAY_HEADERS, TEXT_FAILURES } from '../../schema/text-headers.ts'
import { closedSignal } from '../../server/closed-signal.ts'

const VALUES_MAX_SHOWN = String(EMBEDDINGS_VALUES_MAX).replace(/\B(?=(\d{3})+$)/g, ',')

const texts = json.string({ minLength: 1 })
const tokens = json.array(json.integer({ minimum: 0 }), { minItems: 1 })
const several = { minItems: 1, maxItems: INPUTS_MAX }

const EmbeddingsBody = json.object(
  {
    model: json.string({ minLength: 1, description: 'A model whose catalog row offers `embeddings`.' }),
    input: json.anything({
      anyOf: [texts, json.array(texts, several), tokens, json.array(tokens, several)],
      description: `One text or several, or their tokens; at most ${VALUES_MAX_SHOWN} values in all.`,
    }),
    encoding_format: json.optional(json.oneOf(['float', 'base64'])),
    dimensions: json.optional(json.integer({ minimum: 1 })),
    user: json.optional(json.string()),
  },
  { examples: [{ model: 'vendorC/embed-small', input: ['Which way does the water go?'] }] },
)

const EmbeddingList = json.object({
  object: json.literal('list'),
  data: json.array(
    json.object({
      object: json.literal('embedding'),
      index: json.integer(),
      embedding: json.anything({ anyOf: [json.array(json.number()), json.string()] }),
    }),
  ),
  model: json.string({ description: 'The id you asked for.' }),
  usage: json.object({ prompt_tokens: json.integer(), total_tokens: json.integer() }),
})

export const createEmbeddings = clientOperation('createEmbeddings', 'POST /v1/embeddings', 'chat', {
  isHot: true,
  summary: 'Turn texts into vectors',
  description:
    'Takes the models whose catalog row offers `embeddings`. The request goes to the provider with only the name of the model replaced, and costs its input tokens.',
  headers: REPLAY_HEADERS,
  body: { schema: EmbeddingsBody, limitBytes: 8 * 1024 * 1024, passesOn: true },
  replies: {
    200: { description: 'The vectors, in the order of the inputs.', schema: EmbeddingList },
    ...TEXT_FAILURES,
  },
  async serve({ app }, request, reply) {
    const idempotencyKey = readIdempotencyKey(request.headers)
    const { id: requestId, caller, body: value, bodyBytes: bytes } = request
    // Only the command holds the bytes from here on, so that it can free them while the vendor works.
    request.bodyBytes = undefined
    if (bytes === undefined) throw new ApiError('invalid_json')
    const command = { endpoint: 'embeddings', requestId, caller, idempotencyKey } as const
    if (request.isHeavy) {
      const { organizationId } = caller
      const body = await app.readHeavyEmbeddings({ bytes, organizationId, closed: closedSignal(reply) })
      return app.createEmbeddings({ ...command, body }, reply)
    }
    checkEmbeddings(value)
    return app.createEmbeddings({ ...command, body: new LightEmbeddings(bytes, Object(value)) }, reply)
  },
})
