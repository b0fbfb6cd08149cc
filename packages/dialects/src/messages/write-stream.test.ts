import { describe, expect, test } from 'vitest'
import { HEAD } from '../../../../test/fixtures/text/messages/fixture.ts'
import type { BlockHead, EndReason, ReplyEvent, Seal, StreamError } from '../canonical/reply-event.ts'
import type { ReasoningOptions } from '../canonical/request.ts'
import { UNSEALED } from '../canonical/seal.ts'
import { createFrameSplitter } from '../sse/split-frames.ts'
import { writeMessagesReply, writeMessagesStream } from './write-stream.ts'

const TOKENS = { input: 3, cachedInput: 20, cacheWrite: 10, output: 0 }
const START: ReplyEvent = { kind: 'reply-start', tokens: TOKENS }
const SEAL: Seal = { provider: 'vendorC', proof: 'abc' }

const end = (reason: EndReason = { kind: 'done' }): ReplyEvent => ({
  kind: 'reply-end',
  reason,
  tokens: { ...TOKENS, output: 7, reasoning: 0 },
})

const block = (head: BlockHead, texts: readonly string[] = [], seal?: Seal): ReplyEvent[] => [
  { kind: 'block-start', block: head },
  ...texts.map((text): ReplyEvent => ({ kind: 'block-delta', text })),
  ...(seal ? [{ kind: 'block-seal' as const, seal }] : []),
  { kind: 'block-end' },
]

const call = (input: 'json' | 'text', namespace?: string): BlockHead => ({
  kind: 'tool-call',
  callId: 'call_1',
  name: 'write',
  namespace,
  input,
})

function framesOf(text: string): { name: string | undefined; data: Record<string, unknown> }[] {
  const frames: { name: string | undefined; data: Record<string, unknown> }[] = []
  const splitter = createFrameSplitter((name, data) => frames.push({ name, data: JSON.parse(data) }), {
    maxFrameBytes: 1_000_000,
  })
  splitter.push(Buffer.from(text))
  splitter.end()
  return frames
}

function write(events: readonly ReplyEvent[], head = HEAD) {
  const writer = writeMessagesStream(head)
  const text = events.map((event) => writer.write(event)).join('')
  return { text, frames: framesOf(text), losses: writer.losses }
}

test.each([undefined, { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 }])(
  'message_start has our own count where the vendor sends none: %j',
  (tokens) => {
    const { frames } = write([{ kind: 'reply-start', tokens }], { ...HEAD, countInput: () => 42 })
    expect(frames[0]?.data).toMatchObject({ message: { usage: { input_tokens: 42, output_tokens: 0 } } })
  },
)

test('a reply has exactly these events', () => {
  const { text } = write([START, ...block({ kind: 'text' }, ['Hi', ' you']), end()])
  expect(text).toBe(
    [
      'event: message_start',
      'data: {"type":"message_start","message":{"id":"msg_ours","type":"message","role":"assistant","content":[],"model":"vendorD/text-large","stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":20,"output_tokens":0,"output_tokens_details":null,"server_tool_use":null,"cache_creation":null,"inference_geo":null,"service_tier":null,"speed":null}}}',
      '',
      'event: content_block_start',
      'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      '',
      'event: content_block_delta',
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
      '',
      'event: content_block_delta',
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" you"}}',
      '',
      'event: content_block_stop',
      'data: {"type":"content_block_stop","index":0}',
      '',
      'event: message_delta',
      'data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":20,"output_tokens":7,"output_tokens_details":null,"server_tool_use":null}}',
      '',
      'event: message_stop',
      'data: {"type":"message_stop"}',
      '',
      '',
    ].join('\n'),
  )
})

/** Returns the block, delta or stop of each frame between the start and the end of a reply. */
const blockFrames = (events: readonly ReplyEvent[]) =>
  write([START, ...events, end()])
    .frames.slice(1, -2)
    .map(({ data }) => data.content_block ?? data.delta ?? 'stop')

describe('blocks', () => {
  test('thinking with a seal has its signature once, before the stop', () => {
    expect(blockFrames(block({ kind: 'reasoning' }, ['Hm', 'm.'], SEAL))).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'thinking_delta', thinking: 'm.' },
      { type: 'signature_delta', signature: 'gw1.vendorC.abc' },
      'stop',
    ])
  })

  test('thinking without a seal has our mark for a missing seal, streamed and whole', () => {
    const events = block({ kind: 'reasoning' }, ['Hm'])
    expect(blockFrames(events)).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'signature_delta', signature: UNSEALED },
      'stop',
    ])
    const { body } = writeMessagesReply(events, HEAD)
    expect(body).toMatchObject({ content: [{ type: 'thinking', thinking: 'Hm', signature: UNSEALED }] })
  })

  test.each<[string, Partial<ReasoningOptions>, object[]]>([
    [
      'does not want to read it',
      { summary: 'none' },
      [
        { type: 'thinking', thinking: '', signature: 'gw1.vendorC.abc' },
        { type: 'text', text: 'Yes.' },
      ],
    ],
    ['has switched it off', { budgetTokens: 0 }, [{ type: 'text', text: 'Yes.' }]],
    ['wants no effort', { effort: 'none', summary: 'auto' }, [{ type: 'text', text: 'Yes.' }]],
  ])('a client that %s gets no text of the reasoning, streamed and whole', (_what, options, content) => {
    const reasoning = { effort: undefined, budgetTokens: undefined, summary: undefined, wantsSeal: true }
    const head = { ...HEAD, request: { ...HEAD.request, reasoning: { ...reasoning, ...options } } }
    const events = [
      START,
      ...block({ kind: 'reasoning' }, ['Hm', 'm.'], SEAL),
      ...block({ kind: 'text' }, ['Yes.']),
      end(),
    ]
    const { text, frames } = write(events, head)
    expect(text).not.toContain('Hm')
    const starts = frames.filter(({ name }) => name === 'content_block_start')
    expect(starts.map(({ data }) => data.index)).toEqual(content.map((_, index) => index))
    expect(writeMessagesReply(events, head).body).toMatchObject({ content })
  })

  test('reasoning with only a seal is redacted thinking', () => {
    expect(blockFrames(block({ kind: 'reasoning' }, [], SEAL))).toEqual([
      { type: 'redacted_thinking', data: 'gw1.vendorC.abc' },
      'stop',
    ])
  })

  test('reasoning without content gets no index', () => {
    const { frames } = write([
      START,
      ...block({ kind: 'reasoning' }),
      ...block({ kind: 'text' }, ['x']),
      end(),
    ])
    expect(frames.slice(1, 4).map(({ data }) => data.index)).toEqual([0, 0, 0])
  })

  test('a refusal is a text block, and the stop_reason is refusal', () => {
    const { frames } = write([START, ...block({ kind: 'refusal' }, ['No.']), end()])
    expect(frames[1]?.data).toMatchObject({ content_block: { type: 'text' } })
    expect(frames.at(-2)?.data).toMatchObject({ delta: { stop_reason: 'refusal' } })
  })

  test('a call without arguments has no deltas', () => {
    expect(blockFrames(block(call('json')))).toEqual([
      { type: 'tool_use', id: 'call_1', name: 'write', input: {}, caller: { type: 'direct' } },
      'stop',
    ])
  })

  test.each([
    [[]],
    [['']],
    [['plain']],
    [['"', '\\', '\n\n', '\u2028', '}"']],
    [['\ud83c', '\udf0a half a character each']],
  ])('free text %j is written as JSON while it arrives', (texts) => {
    const deltas = blockFrames(block(call('text'), texts)).slice(1, -1)
    const json = deltas.map((delta) => (delta as { partial_json: string }).partial_json).join('')
    expect(JSON.parse(json)).toEqual({ input: texts.join('') })
  })

  test('blocks of our own dialect pass, foreign ones are declared lost', () => {
    const mine: BlockHead = { kind: 'opaque', origin: 'messages', raw: { type: 'server_tool_use', id: 's' } }
    const theirs: BlockHead = { kind: 'opaque', origin: 'responses', raw: { type: 'web_search_call' } }
    expect(blockFrames(block(mine))).toEqual([{ type: 'server_tool_use', id: 's' }, 'stop'])
    const { frames, losses } = write([START, ...block(theirs), ...block({ kind: 'text' }), end()])
    expect(frames[1]?.data).toMatchObject({ index: 0, content_block: { type: 'text' } })
    expect([...losses]).toEqual(['unknown_block'])
  })
})

test.each<[EndReason, string, string | null, BlockHead[]]>([
  [{ kind: 'done' }, 'end_turn', null, []],
  [{ kind: 'done' }, 'tool_use', null, [call('json')]],
  [{ kind: 'tool-calls' }, 'tool_use', null, [call('json')]],
  [{ kind: 'tool-calls' }, 'end_turn', null, []],
  [{ kind: 'length' }, 'max_tokens', null, [call('json')]],
  [{ kind: 'content-filter' }, 'refusal', null, []],
  [{ kind: 'stop-sequence', sequence: 'END' }, 'stop_sequence', 'END', []],
])('%j ends as %s', (reason, stopReason, stopSequence, heads) => {
  const events = [START, ...heads.flatMap((head) => block(head)), end(reason)]
  const ending = {
    ...{ stop_reason: stopReason, stop_sequence: stopSequence },
    ...{ stop_details: null, container: null },
  }
  expect(write(events).frames.at(-2)?.data.delta).toEqual(ending)
  expect(writeMessagesReply(events, HEAD).body).toMatchObject(ending)
})

test('usage has all fields even if the vendor counts nothing, and includes the thinking', () => {
  const uncounted = write([
    { kind: 'reply-start', tokens: undefined },
    { kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined },
  ])
  const zeros = {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 0,
    output_tokens_details: null,
    server_tool_use: null,
  }
  expect(uncounted.frames[0]?.data).toMatchObject({ message: { usage: zeros } })
  expect(uncounted.frames[1]?.data.usage).toEqual(zeros)
  const thought: ReplyEvent = {
    kind: 'reply-end',
    reason: { kind: 'done' },
    tokens: { ...TOKENS, output: 9, reasoning: 4 },
  }
  expect(write([START, thought]).frames[1]?.data.usage).toMatchObject({
    output_tokens_details: { thinking_tokens: 4 },
  })
})

test.each<[StreamError['kind'], string]>([
  ['broken', 'api_error'],
  ['vendor', 'api_error'],
  ['busy', 'overloaded_error'],
  ['refused', 'invalid_request_error'],
  ['too-long', 'invalid_request_error'],
  ['too-late', 'timeout_error'],
  ['draining', 'overloaded_error'],
])('a failure of kind %s is an error event, and nothing follows', (kind, type) => {
  const failed: ReplyEvent = { kind: 'reply-failed', failure: { kind, message: 'So\nit is.' } }
  const writer = writeMessagesStream(HEAD)
  for (const event of [START, ...block({ kind: 'text' }, ['x']).slice(0, 2)]) writer.write(event)
  expect(writer.write(failed)).toBe(
    `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"So\\nit is."}}\n\n`,
  )
  for (const event of [...block({ kind: 'text' }, ['y']), end(), failed]) expect(writer.write(event)).toBe('')
  expect(writer.keepAlive()).toBe('')
})

test('a keep-alive is a ping, until the reply ends', () => {
  const writer = writeMessagesStream(HEAD)
  expect(writer.keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  writer.write(START)
  expect(writer.keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  writer.write(end())
  expect(writer.keepAlive()).toBe('')
})

test('line ends in a text, name or id cannot forge an event', () => {
  const forged = '\n\nevent: message_stop\r\ndata: {}\r\u2028\u2029\u0085\n\n'
  const head: BlockHead = {
    kind: 'tool-call',
    callId: forged,
    name: forged,
    namespace: undefined,
    input: 'text',
  }
  const { frames, text } = write([
    START,
    ...block({ kind: 'text' }, [forged]),
    ...block({ kind: 'reasoning' }, [forged], { provider: forged, proof: forged }),
    ...block(head, [forged]),
    end({ kind: 'stop-sequence', sequence: forged }),
  ])
  expect(frames.map(({ name, data }) => [name, name === data.type])).toEqual(
    frames.map(({ data }) => [data.type, true]),
  )
  expect(frames.filter(({ name }) => name === 'message_stop')).toHaveLength(1)
  expect(text).not.toContain('\r')
  expect(frames[2]?.data).toMatchObject({ delta: { text: forged } })
})

test('an incomplete call of a reply that was cut short is left out', () => {
  const events = [START, ...block(call('json'), ['{"command":"rm']), end({ kind: 'length' })]
  expect(writeMessagesReply(events, HEAD).body).toMatchObject({ content: [], stop_reason: 'max_tokens' })
  const none = [START, ...block(call('json')), end()]
  expect(writeMessagesReply(none, HEAD).body).toMatchObject({ content: [{ type: 'tool_use', input: {} }] })
})
