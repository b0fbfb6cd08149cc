import { describe, expect, test } from 'vitest'
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
const END = frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } })
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

describe('what passes', () => {
  test('events pass unchanged except the model', () => {
    const relay = open('messages')
    expect(relay.state).toBe('waiting')
    expect(relay.push(Buffer.from(START + DELTA)).toString()).toBe(ours(START) + DELTA)
    expect(relay.state).toBe('flowing')
    expect(relay.push(Buffer.from(END + STOP)).toString()).toBe(END + STOP)
    expect(relay.state).toBe('ended')
    expect(relay.tokens).toEqual({ input: 5, cachedInput: 7, cacheWrite: 0, output: 9, reasoning: 0 })
    expect(relay.outputBytes).toBe(5)
    expect(relay.endedEarly).toBe(false)
  })

  test('a chunk that needs no change passes without a copy', () => {
    const relay = open('messages')
    const chunk = Buffer.from(DELTA + DELTA)
    expect(relay.push(chunk)).toBe(chunk)
    const half = Buffer.from(`${DELTA}event: ping`)
    expect(relay.push(half).buffer).toBe(half.buffer)
  })

  test('half an event waits for its other half', () => {
    const relay = open('messages')
    const half = Math.floor(DELTA.length / 2)
    expect(relay.push(Buffer.from(DELTA.slice(0, half))).length).toBe(0)
    expect(relay.state).toBe('waiting')
    expect(relay.push(Buffer.from(DELTA.slice(half))).toString()).toBe(DELTA)
  })

  test('nothing passes after the end of the stream', () => {
    const relay = open('messages')
    expect(relay.push(Buffer.from(STOP + DELTA)).toString()).toBe(STOP)
    expect(relay.push(Buffer.from(DELTA)).length).toBe(0)
    expect(relay.close().length).toBe(0)
    expect(relay.fail({ kind: 'draining', message: 'Bye.' })).toBe('')
    expect(relay.state).toBe('ended')
  })

  test('comments, other fields and unknown events pass; a byte order mark does not', () => {
    const sse = `: hello\n\nid: 7\nretry: 10\nevent: new_thing\ndata: {"new":1}\n\n${DELTA}`
    expect(
      open('messages')
        .push(Buffer.from(`\ufeff${sse}`))
        .toString(),
    ).toBe(sse)
  })

  test.each([
    ['at the start', 'data: {"type":"content_block_stop","index":0}\n\n', 'content_block_stop'],
    ['elsewhere', 'data: {"index":0,"type" : "content_block_stop"}\n\n', 'content_block_stop'],
    ['of an unknown event', ': hm\nid: 3\ndata: {"type":"new.thing"}\n\n', 'new.thing'],
  ])('a missing event line is put in from the type %s', (_where, sse, name) => {
    expect(open('messages').push(Buffer.from(sse)).toString()).toBe(`event: ${name}\n${sse}`)
  })

  test('data over several lines is joined, read and edited', () => {
    const sse = 'data: {"type":"message_start",\r\ndata: "message":\r\ndata: {"model":"theirs"}}\r\n\r\n'
    expect(open('messages').push(Buffer.from(sse)).toString()).toBe(
      'event: message_start\ndata: {"type":"message_start",\ndata: "message":\ndata: {"model":"ours/model"}}\n\n',
    )
  })

  test.each(['created', 'queued', 'in_progress'])(
    'response.%s names the model as the client does, and gets the output_text it lacks',
    (state) => {
      const response = { model: 'theirs', output: [], output_text: '' }
      const sse = frame({ type: `response.${state}`, response })
      expect(open('responses').push(Buffer.from(sse)).toString()).toBe(ours(sse))
      const lacking = sse.replace(',"output_text":""', '')
      expect(open('responses').push(Buffer.from(lacking)).toString()).toBe(ours(sse))
    },
  )

  test('the last response gets its text, and every other byte stays', () => {
    const data =
      '{"type":"response.completed","response":{"model":"theirs","9":1e400,"1":[],"output":[{"type":"message","content":[{"type":"output_text","text":"日本"}]}] } ,"sequence_number":5}'
    const relay = open('responses')
    expect(relay.push(Buffer.from(`event: response.completed\ndata: ${data}\n\n`)).toString()).toBe(
      `event: response.completed\ndata: ${data.replace('theirs', 'ours/model').replace('}] } ,', '}] ,"output_text":"日本"} ,')}\n\n`,
    )
    expect(relay.state).toBe('ended')
    expect(relay.outputBytes).toBe(6)
  })
})

describe('counts', () => {
  test('before the end, the counts of the start are known', () => {
    const relay = open('messages')
    relay.push(Buffer.from(START + DELTA))
    expect(relay.tokens).toMatchObject({ input: 5, cachedInput: 7, output: 1 })
  })

  test('an end without output usage keeps the input usage', () => {
    const relay = open('messages')
    relay.push(Buffer.from(START + DELTA + STOP))
    expect(relay).toMatchObject({ state: 'ended', tokens: { output: 0 }, outputBytes: 5 })
    expect(relay.tokens?.input).toBeGreaterThan(0)
  })

  test('only the text of deltas counts, not a signature', () => {
    const relay = open('messages')
    const delta = (body: object) => frame({ type: 'content_block_delta', index: 12, delta: body })
    relay.push(Buffer.from(delta({ type: 'thinking_delta', thinking: '12345678' })))
    relay.push(Buffer.from(delta({ type: 'input_json_delta', partial_json: 'abc' })))
    relay.push(Buffer.from(delta({ type: 'signature_delta', signature: 'x'.repeat(400) })))
    relay.push(Buffer.from(delta({ type: 'text_delta', text: '' })))
    expect(relay.outputBytes).toBe(11)
  })

  test('deltas in an unusual spelling are estimated', () => {
    const relay = open('messages')
    const words = 'x'.repeat(300)
    relay.push(
      Buffer.from(
        `event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "${words}"}}\n\n`,
      ),
    )
    expect(Math.abs(relay.outputBytes - 300)).toBeLessThan(20)
  })

  test('a delta ends at its quote, also after an escaped backslash', () => {
    const relay = open('responses')
    const delta = { type: 'response.output_text.delta', delta: 'C:\\', obfuscation: 'x'.repeat(50) }
    relay.push(Buffer.from(frame(delta)))
    expect(relay.outputBytes).toBe(4)
  })

  test('a response counts by its deltas, and then by its usage', () => {
    const relay = open('responses')
    relay.push(Buffer.from(CREATED + TEXT + TEXT))
    // Escapes count as they are spelled.
    expect(relay).toMatchObject({ tokens: undefined, outputBytes: 2 * Buffer.byteLength('Hé\\"llo') })
    const usage = { input_tokens: 20, input_tokens_details: { cached_tokens: 15 }, output_tokens: 8 }
    const details = { reason: 'max_output_tokens' }
    const response = { model: 'theirs', output: [], usage, incomplete_details: details }
    relay.push(Buffer.from(frame({ type: 'response.incomplete', sequence_number: 3, response })))
    expect(relay).toMatchObject({ state: 'ended', tokens: { input: 5, cachedInput: 15, output: 8 } })
  })
})

test('a keep-alive event has the form of the dialect', () => {
  expect(open('messages').keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  expect(open('responses').keepAlive()).toBe(': keep-alive\n\n')
})
