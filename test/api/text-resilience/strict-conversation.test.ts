import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTextGateway, type TextGateway } from './start-text-gateway.ts'

const PROVIDERS = `
providers:
  strict:
    driver: text
    base_url: VENDOR
    api_key: k
    chat: { checks_signatures: true, bridges_results: true }
    models: { thinker: chat }
`
const CATALOG = `
models:
  - model_id: 900
    name: strict/thinker
    endpoints: [messages, responses]
    prices:
      - { unit: input_token, usd_per_million: 1 }
      - { unit: output_token, usd_per_million: 2 }
`

const SIGNED = {
  id: 'call_1',
  type: 'function',
  function: { name: 'look', arguments: '{"at":"sky"}' },
  extra_content: { google: { thought_signature: 'Cs8B' } },
}
const SKIPPED = { google: { thought_signature: 'skip_thought_signature_validator' } }

interface Message {
  role: string
  tool_calls?: { extra_content?: unknown }[]
}

/** Refuses what Gemini and Mistral were seen to refuse, in their words. */
function faultOf(messages: readonly Message[]): string | undefined {
  if (
    messages.some(({ tool_calls: calls }) => calls !== undefined && calls[0]?.extra_content === undefined)
  ) {
    return 'Function call is missing a thought_signature in functionCall parts.'
  }
  const isOutOfOrder = messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool')
  return isOutOfOrder ? "Unexpected role 'user' after role 'tool'" : undefined
}

let gateway: TextGateway
const receivedMessages = (): Message[] => JSON.parse(gateway.received).messages

const answer: RequestListener = (_request, response) => {
  const { stream } = JSON.parse(gateway.received)
  const fault = faultOf(receivedMessages())
  if (fault !== undefined) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: fault } }))
    return
  }
  const hasLooked = receivedMessages().some(({ role }) => role === 'tool')
  const said = hasLooked
    ? { role: 'assistant', content: 'It is blue.' }
    : { role: 'assistant', content: null, tool_calls: [{ index: 0, ...SIGNED }] }
  const choice = { index: 0, finish_reason: hasLooked ? 'stop' : 'tool_calls' }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
  if (stream) {
    response.end(
      `data: ${JSON.stringify({ id: 'c', choices: [{ ...choice, delta: said }], usage })}\n\ndata: [DONE]\n\n`,
    )
  } else response.end(JSON.stringify({ id: 'c', choices: [{ ...choice, message: said }], usage }))
}

beforeAll(async () => {
  gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG })
})
beforeEach(() => {
  gateway.answer = answer
})
afterAll(() => gateway.close())

const QUESTION = {
  model: 'strict/thinker',
  max_tokens: 2_000,
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'What colour is the sky?' }],
}

interface Block {
  type: string
  id?: string
}

/** Sends the result of the tool with a text of the user; returns the call as the vendor got it. */
async function goOn(content: Block[]) {
  const id = content.find(({ type }) => type === 'tool_use')?.id
  const result = { type: 'tool_result', tool_use_id: id, content: 'blue' }
  const messages = [
    ...QUESTION.messages,
    { role: 'assistant', content },
    { role: 'user', content: [result, { type: 'text', text: 'Well?' }] },
  ]
  const { status, body } = await gateway.call('/v1/messages', { ...QUESTION, messages })
  expect({ status, body }).toMatchObject({ status: 200 })
  const [, called, ...after] = receivedMessages()
  expect(after.map(({ role }) => role)).toEqual(['tool', 'assistant', 'user'])
  return called?.tool_calls
}

test('messages: a signature goes through the client and comes back to its vendor', async () => {
  const { body } = await gateway.call('/v1/messages', QUESTION)
  const { content } = JSON.parse(body)
  expect(content).toMatchObject([{ type: 'redacted_thinking' }, { type: 'tool_use', id: 'call_1' }])
  expect(await goOn(content)).toEqual([SIGNED])
})

test('messages: a client that lost the signature, or asked for no thinking, can continue the conversation', async () => {
  const quiet = { ...QUESTION, thinking: { type: 'disabled' } }
  const { body } = await gateway.call('/v1/messages', quiet)
  const { content } = JSON.parse(body)
  expect(content).toMatchObject([{ type: 'tool_use', id: 'call_1' }])
  expect(await goOn(content)).toEqual([{ ...SIGNED, extra_content: SKIPPED }])
})

const QUESTION_IN_ITEMS = {
  model: 'strict/thinker',
  tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
  input: [{ role: 'user', content: 'What colour is the sky?' }],
}

interface Item {
  type: string
  id: string
}

/** Sends the items back as `spell` gives them, with the result of the tool; the vendor must have its signature. */
async function goOnWith(items: readonly Item[], spell: (item: Item) => object, settings: object) {
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'blue' }
  const input = [...QUESTION_IN_ITEMS.input, ...items.map(spell), result]
  const { status, body } = await gateway.call('/v1/responses', { ...QUESTION_IN_ITEMS, ...settings, input })
  expect({ status, body }).toMatchObject({ status: 200 })
  expect(receivedMessages()).toMatchObject([{ role: 'user' }, { tool_calls: [SIGNED] }, { role: 'tool' }])
}

test('responses: a signature goes through a stream, as encrypted reasoning, and comes back to its vendor', async () => {
  const settings = { include: ['reasoning.encrypted_content'], store: false }
  const question = { ...QUESTION_IN_ITEMS, ...settings, stream: true }
  const { body, headers } = await gateway.call('/v1/responses', question, { 'x-sluice-strict': 'true' })
  const completed = body.split('\n').findLast((line) => line.startsWith('data: {'))
  const { output } = JSON.parse(String(completed?.slice('data: '.length))).response
  expect(output).toMatchObject([{ type: 'reasoning', summary: [] }, { type: 'function_call' }])
  expect(headers.get('x-sluice-losses')).toBeNull()
  await goOnWith(output, (item) => item, settings)
})

test('responses: a client that did not ask for reasoning sends the signature back too, whole or by its id', async () => {
  const { body } = await gateway.call('/v1/responses', QUESTION_IN_ITEMS)
  const { output } = JSON.parse(body)
  await goOnWith(output, (item) => item, {})
  await goOnWith(output, ({ id }) => ({ type: 'item_reference', id }), {})
})
