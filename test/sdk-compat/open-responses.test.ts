import { Ajv } from 'ajv'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { checkGrammar, type WireEvent, wireEvents } from '../fixtures/text/responses/check-grammar.ts'
import { EVENT_TYPES, eventShape, RESPONSE } from './open-responses-shapes.ts'
import { type JudgedGateway, startJudgedGateway } from './start-judged-gateway.ts'

/*
 * The acceptance tests that openresponses.org publishes (basic text, streaming, system prompt, tool calling whole and
 * streamed, image input, several turns) are in no package registry. These stand for them: the same questions in our own
 * words, held against the shapes their specification gives the response object and every event. What the sandbox is
 * asked to do stands in brackets. A native model's objects are its vendor's own: here the sandbox's, which a first start
 * has, so the same is asked of them. Over a WebSocket the official client asks.
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
  'basic text': { input: [say('user', 'Greet me.')] },
  'a count, for streams': { input: [say('user', '[count 5]')] },
  'a system prompt': { input: [say('system', 'Talk like a sailor.'), say('user', 'Greet me.')] },
  'a tool call': {
    input: [say('user', 'How is the weather in Oslo? [call get_weather {"place":"Oslo"}]')],
    tools: [WEATHER],
  },
  'a tool call in plain words': {
    input: [say('user', "What's the weather like in San Francisco?")],
    tools: [WEATHER],
  },
  'an image': {
    input: [
      say('user', [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: RED_DOT },
      ]),
    ],
  },
  'several turns': {
    input: [say('user', 'I am Ada.'), say('assistant', 'Hello Ada.'), say('user', 'Who am I?')],
  },
  reasoning: { input: [say('user', 'Think. [reason]')], reasoning: { effort: 'low', summary: 'auto' } },
}

const ajv = new Ajv({ allErrors: true, strict: false })
const isResponse = ajv.compile(RESPONSE)
const isEvent = new Map(EVENT_TYPES.map((type) => [type, ajv.compile(eventShape(type))]))

let sandbox: Sandbox
let gateway: JudgedGateway
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, speed: 1, nowMs: systemClock.nowMs })
  gateway = await startJudgedGateway(`${sandbox.url}/text`)
})
afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})

describe.each(['chat', 'messages', 'responses'])('Open Responses over a vendor of %s', (dialect) => {
  test.each(Object.entries(QUESTIONS))('%s, whole', async (title, question) => {
    const response = JSON.parse(await ask({ ...question, model: `native0/${dialect}` }))
    expectResponse(response, title)
  })

  test.each(Object.entries(QUESTIONS))('%s, streamed', async (title, question) => {
    const body = { ...question, model: `native0/${dialect}`, stream: true }
    expectEvents(wireEvents(await ask(body)), title)
  })

  test.each(Object.entries(QUESTIONS))('%s, over a WebSocket', async (title, question) => {
    const [events] = await askOverSocket([{ ...question, model: `native0/${dialect}` }])
    expectEvents(events ?? [], title)
  })

  test('over a WebSocket: several turns by previous_response_id, after a warm-up, and an error between', async () => {
    const model = `native0/${dialect}`
    const [warm, , first, unknown, second] = await askOverSocket([
      { model, input: [say('user', 'I am Ada.')], generate: false },
      { model, input: [say('user', 'Hello.')], truncation: 'auto' },
      { model, input: [say('user', 'Greet me.')], previous_response_id: 'LAST', store: false },
      { model, input: 'Greet me.', previous_response_id: 'resp_unknown' },
      { model, input: 'Who am I?', previous_response_id: 'LAST', store: false },
    ])
    expect(warm?.map(({ type }) => type)).toEqual(['response.created', 'response.completed'])
    for (const events of [first, second]) {
      checkGrammar(events ?? [])
      expectResponse(events?.at(-1)?.response, 'several turns')
      expect(events?.at(-1)?.response).toMatchObject({
        previous_response_id: expect.stringMatching(/^resp_/),
      })
    }
    expect(unknown).toMatchObject([
      { type: 'error', status: 400, error: { param: 'previous_response_id', message: expect.any(String) } },
    ])
  })

  function expectEvents(events: readonly WireEvent[], title: string): void {
    checkGrammar(events)
    for (const event of events) {
      const check = isEvent.get(event.type)
      expect({ type: event.type, isKnown: check !== undefined }).toEqual({ type: event.type, isKnown: true })
      expect({ is: check?.(event), errors: check?.errors }).toEqual({ is: true, errors: null })
    }
    const types = events.map(({ type }) => type)
    const expected = title.startsWith('a tool call') ? CALL_EVENTS : TEXT_EVENTS
    expect(types).toEqual(expect.arrayContaining(expected))
    const last = events.at(-1)
    expect(last?.type).toBe('response.completed')
    expectResponse(last?.response, title)
  }

  function expectResponse(response: unknown, title: string): void {
    expect({ is: isResponse(response), errors: isResponse.errors }).toEqual({ is: true, errors: null })
    const wanted = title.startsWith('a tool call') ? 'function_call' : 'message'
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: `native0/${dialect}`,
      output: expect.arrayContaining([expect.objectContaining({ type: wanted })]),
    })
  }
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

/** Each on the connection of the official client, when the one before it has ended. `LAST` is the id of that one. */
async function askOverSocket(bodies: readonly object[]): Promise<WireEvent[][]> {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })
  const socket = new ResponsesWS(client)
  const turns: WireEvent[][] = []
  let last: unknown
  const over = Promise.withResolvers<void>()
  const send = () => {
    const json = JSON.stringify({ type: 'response.create', ...bodies[turns.length] })
    turns.push([])
    socket.sendRaw(json.replace('LAST', String(last)))
  }
  // Each error of the gateway is an event too.
  socket.on('error', () => {})
  socket.on('close', () => over.reject(new Error('the connection is over')))
  socket.on('event', (event) => {
    const told: WireEvent = JSON.parse(JSON.stringify(event))
    turns.at(-1)?.push(told)
    if (told.type === 'response.completed') last = Object(told.response).id
    else if (!('status' in told)) return
    if (turns.length === bodies.length) over.resolve()
    else send()
  })
  send()
  await over.promise.finally(() => socket.close())
  return turns
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
