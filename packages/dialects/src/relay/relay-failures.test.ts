import { expect, test } from 'vitest'
import { createStreamRelay, type StreamRelayOptions } from './relay-stream.ts'

function open(dialect: StreamRelayOptions['dialect'], maxFrameBytes = 100_000) {
  return createStreamRelay({ dialect, model: 'ours/model', maxFrameBytes })
}

function frame(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

const USAGE = {
  input_tokens: 5,
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 0,
  output_tokens: 1,
}
const START = frame({ type: 'message_start', message: { id: 'msg_1', model: 'theirs', usage: USAGE } })
const DELTA = frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } })
const STOP = frame({ type: 'message_stop' })

const CREATED = frame({
  type: 'response.created',
  sequence_number: 0,
  response: { id: 'resp_1', created_at: 1_800_000_000, model: 'theirs', output: [] },
})
const TEXT = frame({
  type: 'response.output_text.delta',
  sequence_number: 1,
  delta: 'Hé"llo',
  obfuscation: 'xxxxxxx',
})

function ours(sse: string): string {
  return sse.replace('"model":"theirs"', '"model":"ours/model"')
}

/** The data of each event. */
function eventsIn(sse: string): unknown[] {
  return sse
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
}

test('a stream without an end gets an error: messages', () => {
  const relay = open('messages')
  relay.push(Buffer.from(`${START}${DELTA}event: content_bl`))
  expect(eventsIn(relay.close().toString())).toEqual([
    { type: 'error', error: { type: 'api_error', message: 'The provider broke off its answer.' } },
  ])
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'broken' } })
})

test('a stream without an end gets an error: responses', () => {
  const relay = open('responses')
  relay.push(Buffer.from(`${CREATED}${TEXT}: a comment\n\n`))
  const message = 'The provider broke off its answer.'
  const code = 'server_error'
  expect(eventsIn(relay.close().toString())).toMatchObject([
    { type: 'error', sequence_number: 2, code, message, param: null, error: { code, message } },
    {
      type: 'response.failed',
      sequence_number: 3,
      response: {
        id: 'resp_1',
        object: 'response',
        created_at: 1_800_000_000,
        model: 'ours/model',
        status: 'failed',
        error: { code, message },
      },
    },
  ])
})

test('a last event without its blank line counts if it is whole', () => {
  const relay = open('messages')
  relay.push(Buffer.from(STOP.slice(0, -2)))
  expect(relay.close().toString()).toBe(STOP)
  expect(relay.state).toBe('ended')
})

test('half a last event never passes', () => {
  const relay = open('messages')
  relay.push(Buffer.from(DELTA + DELTA.slice(0, -4)))
  expect(relay.close().toString()).toContain('event: error\n')
  expect(relay.outputBytes).toBe(5)
})

test('an error event of the vendor passes and ends the stream', () => {
  const relay = open('messages')
  const error = frame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  expect(relay.push(Buffer.from(START + error + DELTA)).toString()).toBe(ours(START) + error)
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'busy', message: 'Overloaded' } })
})

test('a response fails with an error and then with its last event', () => {
  const relay = open('responses')
  relay.push(Buffer.from(CREATED))
  const error = frame({
    type: 'error',
    sequence_number: 1,
    code: 'server_error',
    message: 'Oh.',
    param: null,
  })
  expect(relay.push(Buffer.from(error)).toString()).toBe(error)
  expect(relay.state).toBe('flowing')
  const response = {
    model: 'theirs',
    output: [],
    status: 'failed',
    error: { code: 'server_error', message: 'Oh.' },
  }
  relay.push(Buffer.from(frame({ type: 'response.failed', sequence_number: 2, response })))
  expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'vendor', message: 'Oh.' } })
})

test('an error without its last event gets one', () => {
  const relay = open('responses')
  relay.push(Buffer.from(CREATED))
  relay.push(Buffer.from(frame({ type: 'error', sequence_number: 1, code: 'slow_down', message: 'Oh.' })))
  expect(eventsIn(relay.close().toString())).toMatchObject([
    { type: 'response.failed', sequence_number: 2, response: { id: 'resp_1', error: { message: 'Oh.' } } },
  ])
  expect(relay.failure?.kind).toBe('busy')
})

test('an error before anything passed can still become a status', () => {
  const relay = open('responses')
  relay.push(Buffer.from(CREATED + frame({ type: 'error', code: 'invalid_prompt', message: 'No.' })))
  expect(relay).toMatchObject({
    state: 'failed',
    endedEarly: true,
    failure: { kind: 'refused', message: 'No.' },
  })
})

test('the gateway may end the stream itself', () => {
  const relay = open('responses')
  relay.push(Buffer.from(CREATED + TEXT))
  expect(eventsIn(relay.fail({ kind: 'draining', message: 'We close.' }))).toMatchObject([
    { type: 'error', sequence_number: 2, message: 'We close.' },
    { type: 'response.failed', sequence_number: 3 },
  ])
  expect(relay.push(Buffer.from(TEXT)).length).toBe(0)
})

test.each([
  ['messages', 'event: message_start\ndata: {"type"\n\n'],
  ['messages', 'event: message_start\ndata: {"type":"message_start"}\n\n'],
  ['messages', 'event: message_delta\ndata: []\n\n'],
  ['messages', 'data: [DONE]\n\n'],
  ['messages', 'data: {"type":"mes\\nsage"}\n\n'],
  ['responses', 'data: {"type":"response.completed"}\n\n'],
  ['responses', 'event: response.completed\ndata: {"response":null}\n\n'],
] as const)('an event of %s that cannot be read ends the stream: %j', (dialect, sse) => {
  const relay = open(dialect)
  const good = ': fine\n\n'
  const bytes = relay.push(Buffer.from(good + sse + DELTA)).toString()
  expect(bytes.startsWith(`${good}event: error\ndata: {`)).toBe(true)
  expect(bytes).not.toContain('Hello')
  expect(relay).toMatchObject({ state: 'failed', endedEarly: true, failure: { kind: 'broken' } })
})

test('an event that is too long ends the stream, complete or not', () => {
  const whole = open('messages', 200)
  const long = DELTA.replace('Hello', 'x'.repeat(300))
  expect(
    whole
      .push(Buffer.from(DELTA + long))
      .toString()
      .startsWith(`${DELTA}event: error`),
  ).toBe(true)
  const growing = open('messages', 200)
  expect(growing.push(Buffer.from(long.slice(0, 150))).length).toBe(0)
  expect(growing.push(Buffer.from(long.slice(150, 250))).toString()).toContain('event: error')
  const begun = open('messages', 200)
  begun.push(Buffer.from(long.slice(0, 250)))
  for (const relay of [whole, growing, begun]) {
    expect(relay.failure).toMatchObject({ kind: 'too-large', message: expect.stringContaining('is charged') })
    expect(relay.outputBytes).toBeGreaterThanOrEqual(200)
  }
})
