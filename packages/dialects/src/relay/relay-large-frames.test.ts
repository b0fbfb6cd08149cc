import { expect, test } from 'vitest'
import { passFrame } from '../body/frame-jobs.ts'
import { createStreamRelay } from './relay-stream.ts'

const LONG = 'lorem "ipsum" 世界 '.repeat(40)
const RESPONSE = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'up' },
  output: [{ id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: LONG }] }],
  usage: { input_tokens: 7, output_tokens: 3 },
}
const STREAMS = {
  responses: [
    `event: response.created\ndata: ${JSON.stringify({ type: 'response.created', response: { ...RESPONSE, status: 'in_progress', instructions: LONG } })}\n\n`,
    `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', delta: LONG })}\n\n`,
    `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: RESPONSE })}\n\n`,
  ],
  chat: [
    `data: ${JSON.stringify({ model: 'up', choices: [{ index: 0, delta: { content: LONG } }] })}\n\n`,
    `data: ${JSON.stringify({ model: 'up', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], padding: LONG })}\n\n`,
    `data: ${JSON.stringify({ model: 'up', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 }, padding: LONG })}\n\n`,
    'data: [DONE]\n\n',
  ],
  messages: [
    `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { id: 'msg_1', model: 'up', content: [], padding: LONG, usage: { input_tokens: 7, output_tokens: 1 } } })}\n\n`,
    `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: LONG } })}\n\n`,
    `event: message_delta\ndata: ${JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, padding: LONG, usage: { output_tokens: 3 } })}\n\n`,
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ],
} as const

type Dialect = keyof typeof STREAMS

/** Every event above 100 bytes is large; with `isHere` none is. */
function open(dialect: Dialect, isHere = false) {
  let jobs = 0
  const options = { dialect, model: 'v/m', maxFrameBytes: 1_000_000 }
  const read = async (frame: Buffer) => {
    jobs += 1
    return structuredClone(passFrame(frame, { dialect, model: 'v/m', hides: [], request: {} }))
  }
  const relay = createStreamRelay(
    isHere ? options : { ...options, large: { isLarge: ({ length }) => length > 100, read } },
  )
  return { relay, jobs: () => jobs }
}

/** The output for a stream in pieces of `size`. Several pieces arrive before the result of the thread is awaited. */
async function passedBy(relay: ReturnType<typeof open>['relay'], sse: string, size: number): Promise<string> {
  const bytes = Buffer.from(sse)
  let passed = ''
  for (let at = 0; at < bytes.length; at += size) {
    passed += relay.push(bytes.subarray(at, at + size)).toString('latin1')
    if (at % 3 === 0 && relay.reading !== undefined) passed += await readOn(relay)
  }
  passed += relay.close().toString('latin1')
  while (relay.reading !== undefined) passed += await readOn(relay)
  return passed
}

async function readOn(relay: ReturnType<typeof open>['relay']): Promise<string> {
  await relay.reading
  return relay.readOn().toString('latin1')
}

const CASES = (Object.keys(STREAMS) as Dialect[]).flatMap((dialect) =>
  [40, 97, 1_000].map((size) => [dialect, size] as const),
)

test.each(CASES)(
  '%s: large events in pieces of %i pass as if they were read on this thread',
  async (dialect, size) => {
    const sse = STREAMS[dialect].join('')
    const [far, here] = [open(dialect), open(dialect, true)]
    const passed = await passedBy(far.relay, sse, size)
    expect(passed).toBe(await passedBy(here.relay, sse, size))
    expect(far.jobs()).toBeGreaterThan(0)
    expect(here.jobs()).toBe(0)
    const { state, tokens, outputBytes, vendorUsage } = here.relay
    expect(far.relay).toMatchObject({ state, tokens, outputBytes, vendorUsage })
    expect(state).toBe('ended')
  },
)

test('the end of a reply of many long items passes, and is counted with all its calls', async () => {
  const sources = Array.from({ length: 20 }, (_, at) => ({
    type: 'url',
    url: `https://x.example/${LONG}${at}`,
  }))
  const output = Array.from({ length: 300 }, (_, at) =>
    at % 2 === 0
      ? { type: 'web_search_call', id: `ws_${at}`, action: { type: 'search', query: LONG, sources } }
      : { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: LONG.repeat(8) },
  )
  const data = JSON.stringify({ type: 'response.completed', response: { ...RESPONSE, output } })
  const frame = Buffer.from(`event: response.completed\ndata: ${data}\n\n`)
  const passed = passFrame(frame, { dialect: 'responses', model: 'v/m', hides: [], request: {} })
  expect(passed?.small.length).toBeLessThan(512 * 1024)
  const { relay } = open('responses', true)
  relay.push(Buffer.from(passed?.small ?? ''))
  expect(relay.state).toBe('ended')
  expect(relay.tokens).toMatchObject({
    ...{ input: 7, output: 3 },
    surcharges: { calls: { web_search_call: 150 } },
  })
})

test.each(['chat', 'messages', 'responses'] as const)(
  '%s: a large event that is no JSON breaks the stream',
  async (dialect) => {
    const { relay } = open(dialect)
    const passed = await passedBy(relay, `event: response.completed\ndata: {"a":"${LONG}\n\n`, 50)
    expect(relay).toMatchObject({ state: 'failed', failure: { kind: 'broken' } })
    expect(passed).toContain('error')
  },
)

test('an event whose thread died is too large, and is charged by its length', async () => {
  const relay = createStreamRelay({
    ...{ dialect: 'chat', model: 'v/m', maxFrameBytes: 100_000 },
    large: { isLarge: ({ length }) => length > 100, read: () => Promise.reject(new Error('it died')) },
  })
  const event = `data: {"a":"${'x'.repeat(100)}"}\n\n`
  await passedBy(relay, event, 50)
  expect(relay).toMatchObject({ state: 'failed', endedEarly: true, failure: { kind: 'too-large' } })
  expect(relay.outputBytes).toBe(event.length)
})
