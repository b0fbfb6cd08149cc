import { expect, test } from 'vitest'
import type { TextRequest } from './canonical/request.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from './dialects.ts'

const OPEN = { type: 'object', properties: { a: { type: 'integer' } } }
const CLOSED = { ...OPEN, required: ['a'], additionalProperties: false }

function lossesFor(dialect: 'chat' | 'responses' | 'messages', request: TextRequest) {
  const target = { model: 'm', provider: 'p', maxOutputTokens: undefined, reasons: true }
  return VENDOR_DIALECTS[dialect].writeRequest(request, target).losses
}

/** This dialect always promises the shape, and a client cannot ask for less. */
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
  ['one', askMessages({ output_config: { format: { type: 'json_schema', schema: OPEN } } }), ['strict']],
  ['its former name', askMessages({ output_format: { type: 'json_schema', schema: OPEN } }), ['strict']],
  [
    'one it can keep',
    askMessages({ output_config: { format: { type: 'json_schema', schema: CLOSED } } }),
    [],
  ],
  ['none asked for', askResponses({ schema: OPEN }), []],
  ['none wanted', askResponses({ schema: OPEN, strict: false }), []],
  ['one the vendor judges', askResponses({ schema: OPEN, strict: true }), []],
])('a promised output shape that this vendor cannot keep is named: %s', (_, request, losses) => {
  expect(lossesFor('chat', request)).toEqual(losses)
  expect(lossesFor('responses', request)).toEqual(losses)
  expect(lossesFor('messages', request)).toEqual([])
})
