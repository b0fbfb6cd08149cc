import { json } from '../../../domain/json/json-schema.ts'
import { clientOperation } from '../../operation.ts'
import { readTextCommand } from '../../schema/read-text-command.ts'
import { readVersion } from '../../schema/read-version.ts'
import { VERSION_HEADERS } from '../../schema/text-headers.ts'
import { CountBody } from '../create-message/schemas.ts'

export const countTokens = clientOperation('countTokens', 'POST /v1/messages/count_tokens', 'messages', {
  isHot: true,
  summary: 'Count the tokens of a request (Messages format)',
  description:
    'Takes the body of a message request and returns the number of its input tokens. It is free. If the provider counts tokens, the answer is its count, else an estimate.',
  headers: VERSION_HEADERS,
  body: { schema: CountBody, limitBytes: 'text', passesOn: true },
  replies: {
    200: { description: 'The count.', schema: json.object({ input_tokens: json.integer({ minimum: 0 }) }) },
    400: { description: 'The request is not valid, or this model does not support a part of it.' },
    404: { description: 'There is no such model, or it is not offered on this endpoint.' },
    503: { description: 'The provider is not configured, or the model has no price.' },
  },
  async serve({ app, requiresVersion }, request, reply) {
    const { headers } = request
    const command = readTextCommand(
      request,
      {
        endpoint: 'messages',
        operation: 'count-tokens',
        version: readVersion(headers, { requiresVersion }),
        betas: headers['anthropic-beta'],
      },
      { app, reply },
    )
    return { input_tokens: await app.countTokens(await command) }
  },
})
