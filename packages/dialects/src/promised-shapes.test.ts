import { expect, test } from 'vitest'
import type { TextRequest } from './canonical/request.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from './dialects.ts'

const OPEN = { type: 'object', properties: { a: { type: 'integer' } } }
const CLOSED = { ...OPEN, required: ['a'], additionalProperties: false }

function lossesFor(dialect: 'chat' | 'responses' | 'messages', request: TextRequest) {
  const target = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: true }
  return VENDOR_DIALECTS[dialect].writeRequest(request, target).losses
}

/** In the messages dialect a shape always has `strict: 'promised'`; clients cannot change it. */
function askMessages(more: object): TextRequest {
  return CLIENT_DIALECTS.messages.readRequest({
    model: 'a/b',
    max_tokens: 64,
    messages: [{ role: 'user', content: 'Hi' }],
    ...more,
  })
}

function askResponses(format: object): TextRequest {
  const text = { format: { type: 'json_schema', name: 'n', ...format } }
  return CLIENT_DIALECTS.responses.readRequest({ model: 'a/b', input: 'Hi', text })
}

test.each<[what: string, request: TextRequest, losses: string[]]>([
  ['promised', askMessages({ output_config: { format: { type: 'json_schema', schema: OPEN } } }), ['strict']],
  [
    'promised by its old name',
    askMessages({ output_format: { type: 'json_schema', schema: OPEN } }),
    ['strict'],
  ],
  [
    'no loss if the vendor can keep it',
    askMessages({ output_config: { format: { type: 'json_schema', schema: CLOSED } } }),
    [],
  ],
  ['no loss without strict', askResponses({ schema: OPEN }), []],
  ['no loss with strict: false', askResponses({ schema: OPEN, strict: false }), []],
  ['no loss if the client itself sets strict: true', askResponses({ schema: OPEN, strict: true }), []],
])('a promised output shape that the vendor cannot keep is declared lost: %s', (_, request, losses) => {
  expect(lossesFor('chat', request)).toEqual(losses)
  expect(lossesFor('responses', request)).toEqual(losses)
})

test.each<[what: string, request: TextRequest, losses: string[]]>([
  ['promised', askMessages({ output_config: { format: { type: 'json_schema', schema: OPEN } } }), ['strict']],
  ['sent with strict: true', askResponses({ schema: OPEN, strict: true }), ['strict']],
  ['sent without strict', askResponses({ schema: OPEN }), []],
  ['sent with strict: false', askResponses({ schema: OPEN, strict: false }), []],
])('messages vendors enforce no open schema: losses of a shape that was %s', (_, request, losses) => {
  expect(lossesFor('messages', request)).toEqual(losses)
})
