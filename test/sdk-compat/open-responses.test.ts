import { Ajv } from 'ajv'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { checkGrammar, type WireEvent, wireEvents } from '../fixtures/text/responses/check-grammar.ts'
import { askOverSocket as askSocket, idOf, type Step } from './ask-over-socket.ts'
import { COMPACTION, EVENT_TYPES, eventShape, RESPONSE, SOCKET_ERROR } from './open-responses-shapes.ts'
import { type JudgedGateway, startFirstGateway, startJudgedGateway } from './start-judged-gateway.ts'

/*
 * The compliance suite that openresponses.org publishes is in no package registry. These tests stand for its version of
 * 2026-04-24: one for each of its tests, under its id, asked in our own words and held against the shapes that the
 * specification gives the response object and every event. Each question is asked whole, as a stream and over a WebSocket,
 * which is more than the suite does. What the sandbox is asked to do stands in brackets. A native model's objects are its
 * vendor's own: here the sandbox's, which a first start has. Over a WebSocket the official client asks.
 */

const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}
const RED_DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const say = (role: string, content: unknown) => ({ type: 'message', role, content })
const QUESTIONS: Readonly<Record<string, object>> = {
  'basic-response': { input: [say('user', 'Greet me.')] },
  'assistant-phase': {
    input: [
      { ...say('assistant', 'I look it up.'), phase: 'commentary' },
      { ...say('assistant', 'There are four.'), phase: 'final_answer' },
      say('user', 'How many?'),
    ],
  },
  'streaming-response': { input: [say('user', '[count 5]')] },
  'system-prompt': { input: [say('system', 'Talk like a sailor.'), say('user', 'Greet me.')] },
  'tool-calling': { input: [say('user', "What's the weather like in San Francisco?")], tools: [WEATHER] },
  'tool-calling with arguments': {
    input: [say('user', 'How is the weather in Oslo? [call get_weather {"place":"Oslo"}]')],
    tools: [WEATHER],
  },
  'image-input': {
    input: [
      say('user', [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: RED_DOT },
      ]),
    ],
  },
  'multi-turn': {
    input: [say('user', 'I am Ada.'), say('assistant', 'Hello Ada.'), say('user', 'Who am I?')],
  },
  reasoning: { input: [say('user', 'Think. [reason]')], reasoning: { effort: 'low', summary: 'auto' } },
}

const ajv = new Ajv({ allErrors: true, strict: false })
const isResponse = ajv.compile(RESPONSE)
const isCompaction = ajv.compile(COMPACTION)
const isError = ajv.compile(SOCKET_ERROR)
const isEvent = new Map(EVENT_TYPES.map((type) => [type, ajv.compile(eventShape(type))]))

let sandbox: Sandbox
let judged: JudgedGateway
let first: JudgedGateway
/** The gateway that the current test asks. */
let gateway: JudgedGateway
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, speed: 1, nowMs: systemClock.nowMs })
  judged = await startJudgedGateway(`${sandbox.url}/text`)
  first = await startFirstGateway(sandbox.url)
})
afterAll(async () => {
  await first.close()
  await judged.close()
  await sandbox.close()
})

describe.each([
  ['on a first start, converted', 'vendorC/model-4.1'],
  ['on a first start, native', 'vendorC/model-5.3-codex'],
  ['over a vendor of chat', 'native0/chat'],
  ['over a vendor of messages', 'native0/messages'],
  ['over a vendor of responses', 'native0/responses'],
])('Open Responses %s', (_title, model) => {
  beforeAll(() => {
    gateway = model.startsWith('native0/') ? judged : first
  })

  test.each(Object.entries(QUESTIONS))('%s, whole', async (title, question) => {
    const response = JSON.parse(await ask({ ...question, model }))
    expectResponse(response, title)
  })

  test.each(Object.entries(QUESTIONS))('%s, streamed', async (title, question) => {
    const body = { ...question, model, stream: true }
    expectEvents(wireEvents(await ask(body)), title)
  })

  test.each(Object.entries(QUESTIONS))('%s, over a WebSocket', async (title, question) => {
    const [events] = await askOverSocket([{ ...question, model }])
    expectEvents(events ?? [], title)
  })

  test('websocket-response', async () => {
    const [events] = await askOverSocket([{ model, input: [say('user', '[count 3]')] }])
    expectEvents(events ?? [], 'websocket-response')
  })

  test('websocket-sequential-responses', async () => {
    const turns = await askOverSocket(['first', 'second'].map((input) => ({ model, input, store: false })))
    for (const events of turns) expectEvents(events, 'websocket-sequential-responses')
    expect(turns).toHaveLength(2)
  })

  test('websocket-continuation', async () => {
    const [first, second] = await askOverSocket([
      { model, input: 'The word is cobalt.', store: false },
      ([id]) => ({ model, input: 'What is the word?', store: false, previous_response_id: id }),
    ])
    for (const events of [first, second]) expectEvents(events ?? [], 'websocket-continuation')
    expect(idOf(second)).not.toBe(idOf(first))
    expect(second?.at(-1)?.response).toMatchObject({ previous_response_id: idOf(first) })
  })

  test('websocket-reconnect-store-false-recovery', async () => {
    const [first] = await askOverSocket([{ model, input: 'The word is copper.', store: false }])
    const [lost, recovered] = await askOverSocket([
      { model, input: 'Go on.', store: false, previous_response_id: idOf(first) },
      { model, input: [say('user', 'The word is copper.'), say('user', 'Go on.')], store: false },
    ])
    expectNotFound(lost)
    expectEvents(recovered ?? [], 'websocket-reconnect-store-false-recovery')
  })

  test('websocket-generate-false', async () => {
    const [warm, next] = await askOverSocket([
      { model, input: [say('user', 'I am Ada.')], generate: false },
      ([id]) => ({ model, input: 'Who am I?', store: false, previous_response_id: id }),
    ])
    expect(warm?.map(({ type }) => type)).toEqual(['response.created', 'response.completed'])
    expectEvents(next ?? [], 'websocket-generate-false')
  })

  test('websocket-previous-response-not-found', async () => {
    const missing = { model, input: 'Go on.', store: false, previous_response_id: 'resp_missing' }
    const [first, unknown, second] = await askOverSocket([
      { model, input: 'Hello.', store: false },
      missing,
      ([id]) => ({ ...missing, previous_response_id: id }),
    ])
    expectNotFound(unknown)
    for (const events of [first, second]) expectEvents(events ?? [], 'websocket-previous-response-not-found')
  })

  test('websocket-failed-continuation-evicts-cache', async () => {
    const orphan = {
      type: 'function_call_output',
      call_id: 'call_missing',
      output: 'No call asked for this.',
    }
    const [first, failed, again] = await askOverSocket([
      { model, input: 'The word is ember.', store: false },
      ([id]) => ({ model, input: [orphan], store: false, previous_response_id: id }),
      ([id]) => ({ model, input: 'Go on.', store: false, previous_response_id: id }),
    ])
    expectEvents(first ?? [], 'websocket-failed-continuation-evicts-cache')
    expect(failed).toMatchObject([{ type: 'error', status: 400, error: { code: expect.any(String) } }])
    expectNotFound(again)
  })

  test('compact-response', async () => {
    const input = [
      say('user', 'We launch on Tuesday, and support is told first.'),
      say('assistant', 'Tuesday, and support before that.'),
    ]
    const compacted = await compact({ model, input, prompt_cache_key: 'compaction' })
    expectCompaction(compacted)
    const next = [...compacted.output, say('user', 'When is the launch?')]
    expectResponse(JSON.parse(await ask({ model, input: next })), 'compact-response')
  })

  test('compact-missing-model', async () => {
    await expect(compact({ input: [say('user', 'Make it short.')] })).rejects.toMatchObject({
      ...{ status: 400, code: 'missing_parameter', param: 'model' },
    })
  })

  test('websocket-compact-new-chain', async () => {
    const parts = (type: string, text: string) => [{ type, text }]
    const input = [
      say('user', parts('input_text', 'The word is slate.')),
      say('assistant', parts('output_text', 'Noted.')),
      say('user', parts('input_text', 'Make this short.')),
    ]
    const compacted = await compact({ model, input })
    expectCompaction(compacted)
    const chain = [...compacted.output, say('user', parts('input_text', 'Which word?'))]
    const [events] = await askOverSocket([{ model, store: false, input: chain }])
    expectEvents(events ?? [], 'websocket-compact-new-chain')
  })

  function expectCompaction(compacted: Compacted): void {
    expect({ is: isCompaction(compacted), errors: isCompaction.errors }).toEqual({ is: true, errors: null })
    expect(compacted.output.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  }

  function expectNotFound(events: WireEvent[] | undefined): void {
    expect(events).toHaveLength(1)
    expect({ is: isError(events?.[0]), errors: isError.errors }).toEqual({ is: true, errors: null })
    expect(events?.[0]).toMatchObject({
      ...{ type: 'error', status: 400 },
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    })
  }

  function expectEvents(events: readonly WireEvent[], title: string): void {
    checkGrammar(events)
    for (const event of events) {
      const check = isEvent.get(event.type)
      expect({ type: event.type, isKnown: check !== undefined }).toEqual({ type: event.type, isKnown: true })
      expect({ is: check?.(event), errors: check?.errors }).toEqual({ is: true, errors: null })
    }
    const types = events.map(({ type }) => type)
    const expected = title.startsWith('tool-calling') ? CALL_EVENTS : TEXT_EVENTS
    expect(types).toEqual(expect.arrayContaining(expected))
    const last = events.at(-1)
    expect(last?.type).toBe('response.completed')
    expectResponse(last?.response, title)
  }

  function expectResponse(response: unknown, title: string): void {
    expect({ is: isResponse(response), errors: isResponse.errors }).toEqual({ is: true, errors: null })
    const wanted = title.startsWith('tool-calling') ? 'function_call' : 'message'
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model,
      output: expect.arrayContaining([expect.objectContaining({ type: wanted })]),
    })
  }
})

test('response-output-phase-schema', async () => {
  const response = JSON.parse(await ask({ model: 'native0/responses', input: 'Greet me.' }))
  const output = ['commentary', 'final_answer'].map((phase) => ({ ...response.output[0], phase }))
  expect(isResponse({ ...response, output })).toBe(true)
  expect(isResponse({ ...response, output: [{ ...response.output[0], phase: 'other' }] })).toBe(false)
})

test("the sandbox's object has its members whole, also where a request sets a part of them or none", async () => {
  const part = { reasoning: { effort: 'low' }, text: { verbosity: 'low' }, user: 'end-user' }
  const question = { model: 'native0/responses', input: 'Greet me.', ...part }
  expect(JSON.parse(await ask(question))).toMatchObject({
    reasoning: { effort: 'low', summary: null },
    text: { verbosity: 'low', format: { type: 'text' } },
    user: 'end-user',
    ...{ conversation: null, prompt: null, prompt_cache_retention: null, max_tool_calls: null },
  })
})

const TEXT_EVENTS = [
  'response.output_item.added',
  'response.content_part.added',
  'response.output_text.delta',
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
]
const CALL_EVENTS = [
  'response.output_item.added',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_item.done',
]

const askOverSocket = (steps: readonly Step[]) => askSocket(gateway, steps)

type Compacted = Awaited<ReturnType<OpenAI['responses']['compact']>>

/** Compacts with the official client. */
function compact(body: object): Promise<Compacted> {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
  return client.responses.compact(Object(body))
}

async function ask(body: object): Promise<string> {
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect({ status: answer.status, text }).toMatchObject({ status: 200 })
  return text
}
