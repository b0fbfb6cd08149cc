import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../test/fixtures/text/arbitrary-events.ts'
import {
  eventsOf,
  type FoldedBlock,
  foldBlocks,
  ORIGIN,
  readSse,
  readWhole,
  sseOf,
  WELL_ENDED,
} from '../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf, spellChunks } from '../../../test/fixtures/text/chat/spell-chunks.ts'
import { createGuard } from '../hub/guard.ts'
import type { ReplyEvent } from '../hub/reply-event.ts'
import { readChatReply } from './read-reply.ts'

function eventsOfSse(name: string): ReplyEvent[] {
  return eventsOf([Buffer.from(readSse(name))])
}

test.each(WELL_ENDED)('%s: the stream and the whole reply say the same', (name) => {
  const streamed = eventsOfSse(name)
  const whole = readChatReply(readWhole(name), ORIGIN)
  expect(foldBlocks(streamed)).toEqual(foldBlocks(whole))
  expect(streamed.at(-1)).toEqual(whole.at(-1))
  expect(streamed.at(-1)?.kind).toBe('reply-end')
  expect(streamed[0]).toEqual({ kind: 'reply-start', tokens: undefined })
})

function call(callId: string, name: string) {
  return { kind: 'tool-call', callId, name, namespace: undefined, input: 'json' }
}

const TOKENS = { cachedInput: 0, cacheWrite: 0, reasoning: 0 }

test.each<[name: string, blocks: object[], end: object]>([
  [
    'text',
    [{ head: { kind: 'text' }, text: 'Water finds its way.' }],
    { reason: { kind: 'done' }, tokens: { ...TOKENS, input: 12, output: 5 } },
  ],
  [
    'tool-call',
    [{ head: call('call_w1', 'get_weather'), text: '{"city":"Porto"}' }],
    { reason: { kind: 'tool-calls' } },
  ],
  [
    'parallel-calls',
    [
      { head: { kind: 'text' }, text: 'Let me look.' },
      { head: call('call_a', 'get_weather'), text: '{"city":"Lima"}' },
      { head: call('call_b', 'get_time'), text: '{"zone":"America/Lima"}' },
      { head: call('call_c', 'list_files'), text: '' },
    ],
    { reason: { kind: 'tool-calls' } },
  ],
  [
    'custom-call',
    [
      {
        head: { kind: 'tool-call', callId: 'call_p', name: 'apply_patch', namespace: 'edit', input: 'text' },
        text: '*** Begin Patch\n+ "水" \\ \u{1F30A}\n*** End Patch',
      },
    ],
    { reason: { kind: 'tool-calls' } },
  ],
  [
    'reasoning',
    [
      { head: { kind: 'reasoning' }, text: 'They ask for a sum.' },
      { head: { kind: 'text' }, text: 'It is 4.' },
    ],
    { reason: { kind: 'done' }, tokens: { ...TOKENS, input: 20, output: 60, reasoning: 48 } },
  ],
  [
    'refusal',
    [{ head: { kind: 'refusal' }, text: 'I cannot help with that.' }],
    { reason: { kind: 'done' } },
  ],
  ['length', [{ head: { kind: 'text' }, text: 'Once upon a' }], { reason: { kind: 'length' } }],
  ['content-filter', [{ head: { kind: 'text' }, text: 'Well' }], { reason: { kind: 'content-filter' } }],
  [
    'cache',
    [{ head: { kind: 'text' }, text: 'Again.' }],
    { tokens: { ...TOKENS, input: 128, cachedInput: 1920, output: 2 } },
  ],
  ['empty', [], { reason: { kind: 'done' }, tokens: { ...TOKENS, input: 7, output: 0 } }],
])('%s', (name, blocks, end) => {
  const events = eventsOfSse(name)
  expect(foldBlocks(events)).toEqual(blocks)
  expect(events.at(-1)).toMatchObject({ kind: 'reply-end', ...end })
})

test('text is shown piece by piece, as it comes', () => {
  const deltas = eventsOfSse('text').flatMap((event) => (event.kind === 'block-delta' ? [event.text] : []))
  expect(deltas).toEqual(['Water', ' finds', ' its way.'])
})

test('a call that is whole makes room for the next before the reply ends', () => {
  const calls = (index: number, id: string | undefined, text: string) =>
    chunkOf({ tool_calls: [{ index, id, function: { name: id && 'look', arguments: text } }] })
  const events = eventsOf([sseOf([calls(0, 'a', '{"x":'), calls(0, undefined, '1}'), calls(1, 'b', '{"y"')])])
  expect(events.map(({ kind }) => kind)).toEqual([
    'reply-start',
    'block-start',
    'block-delta',
    'block-delta',
    'block-end',
    'block-start',
    'block-delta',
    'reply-failed',
  ])
})

function failureOf(chunks: readonly unknown[]): unknown {
  const failed = eventsOf([sseOf(chunks)]).filter((event) => event.kind === 'reply-failed')
  expect(failed).toHaveLength(1)
  return failed[0]?.failure
}

const HELLO = chunkOf({ content: 'Hello' })
const STOP = chunkOf({}, 'stop')

test.each<[what: string, chunks: unknown[], failure: object]>([
  ['stops without an end', [HELLO], { kind: 'broken' }],
  ['says it is done without an end', [HELLO, '[DONE]'], { kind: 'broken' }],
  ['says nothing at all', [], { kind: 'broken' }],
  ['is not JSON', [HELLO, '{"id":'], { kind: 'broken' }],
  ['is no object', [HELLO, '[]'], { kind: 'broken' }],
  ['has choices that are none', [{ choices: {} }], { kind: 'broken' }],
  ['has a choice that is none', [{ choices: [1] }], { kind: 'broken' }],
  ['says what is no object', [{ choices: [{ delta: 'x' }] }], { kind: 'broken' }],
  ['has content that is no text', [chunkOf({ content: 4 })], { kind: 'broken' }],
  ['has calls that are none', [chunkOf({ tool_calls: 'x' })], { kind: 'broken' }],
  [
    'calls without a name',
    [chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }, 'tool_calls'), '[DONE]'],
    { kind: 'broken' },
  ],
  ['fails', [HELLO, { error: { message: 'Oh.', type: 'server_error' } }], { kind: 'vendor', message: 'Oh.' }],
  [
    'is busy',
    [{ error: { message: 'Wait.', code: 'rate_limit_exceeded' } }],
    { kind: 'busy', message: 'Wait.' },
  ],
  ['is busy, with a number', [HELLO, { error: { message: 'Wait.', code: 429 } }], { kind: 'busy' }],
  [
    'finds fault',
    [{ error: { message: 'Too long.', type: 'invalid_request_error', code: null } }],
    { kind: 'refused', message: 'Too long.' },
  ],
  [
    'says an object is an error',
    [{ object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }],
    { kind: 'refused', message: 'No.' },
  ],
  ['ends with an error', [HELLO, chunkOf({}, 'error'), '[DONE]'], { kind: 'vendor' }],
  ['ran out of room', [HELLO, chunkOf({}, 'insufficient_system_resource'), '[DONE]'], { kind: 'busy' }],
])('a stream that %s has failed, once', (_what, chunks, failure) => {
  expect(failureOf([...chunks])).toMatchObject(failure)
})

test('an event named error is one, whatever is in it', () => {
  const events = eventsOf([Buffer.from('event: error\ndata: {"message":"Gone."}\n\n')])
  expect(events).toEqual([{ kind: 'reply-failed', failure: { kind: 'vendor', message: 'Gone.' } }])
})

test('a call that goes on after its end has failed', () => {
  const piece = (index: number, text: string) =>
    chunkOf({ tool_calls: [{ index, function: { name: 'f', arguments: text } }] })
  expect(failureOf([piece(0, '{}'), piece(1, '{}'), piece(0, '{}'), STOP, '[DONE]'])).toMatchObject({
    kind: 'broken',
  })
})

test('the error fixture and the cut one end as failures', () => {
  expect(eventsOfSse('error').at(-1)).toEqual({
    kind: 'reply-failed',
    failure: { kind: 'vendor', message: 'The server had an error.' },
  })
  expect(readChatReply(readWhole('error'), ORIGIN)).toEqual([eventsOfSse('error').at(-1)])
  expect(eventsOfSse('cut').at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
})

test.each([undefined, null, 'x', [], {}, { choices: [] }, { choices: [{ message: { content: 'x' } }] }])(
  '%j is no whole reply',
  (body) => {
    expect(readChatReply(body, ORIGIN).at(-1)).toMatchObject({
      kind: 'reply-failed',
      failure: { kind: 'broken' },
    })
  },
)

test.each<[what: string, chunks: unknown[], blocks: object[]]>([
  ['leaves out [DONE]', [HELLO, STOP], [{ head: { kind: 'text' }, text: 'Hello' }]],
  ['sends empty events', ['', HELLO, '', STOP, '[DONE]'], [{ head: { kind: 'text' }, text: 'Hello' }]],
  [
    'has chunks without choices',
    [{ id: 'x', choices: [], prompt_filter_results: [] }, HELLO, { id: 'x' }, STOP],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  [
    'has more than one choice',
    [
      {
        choices: [
          { index: 1, delta: { content: 'No' }, finish_reason: 'stop' },
          { index: 0, delta: { content: 'Yes' } },
        ],
      },
      STOP,
    ],
    [{ head: { kind: 'text' }, text: 'Yes' }],
  ],
  [
    'says reasoning by its other name',
    [chunkOf({ reasoning: 'Hm' }), HELLO, STOP],
    [
      { head: { kind: 'reasoning' }, text: 'Hm' },
      { head: { kind: 'text' }, text: 'Hello' },
    ],
  ],
  [
    'gives content in parts',
    [
      chunkOf({
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      }),
      STOP,
    ],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  ['ends with a word of its own', [HELLO, chunkOf({}, 'eos')], [{ head: { kind: 'text' }, text: 'Hello' }]],
  ['goes on after its finish', [STOP, HELLO, '[DONE]'], [{ head: { kind: 'text' }, text: 'Hello' }]],
  [
    'goes on after [DONE]',
    [HELLO, STOP, '[DONE]', HELLO, { error: 'x' }],
    [{ head: { kind: 'text' }, text: 'Hello' }],
  ],
  [
    'cuts a name, and repeats one',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'weather' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'get_weather', arguments: '{' } }] }),
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '}' } }] }),
      STOP,
    ],
    [{ head: call('a', 'get_weather'), text: '{}' }],
  ],
  [
    'names a call after its arguments',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{"x"' } }] }),
      chunkOf({ tool_calls: [{ index: 0, function: { name: 'f', arguments: ':1}' } }] }),
      STOP,
    ],
    [{ head: call('a', 'f'), text: '{"x":1}' }],
  ],
  [
    'has no ids',
    [
      chunkOf({
        tool_calls: [
          { index: 0, function: { name: 'f', arguments: '{}' } },
          { index: 1, function: { name: 'g', arguments: '{}' } },
        ],
      }),
      STOP,
    ],
    [
      { head: call('call_chatcmpl1_0', 'f'), text: '{}' },
      { head: call('call_chatcmpl1_1', 'g'), text: '{}' },
    ],
  ],
  [
    'counts every call as the first',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      chunkOf({ tool_calls: [{ index: 0, id: 'b', function: { name: 'f', arguments: '{"x":1}' } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: call('b', 'f'), text: '{"x":1}' },
    ],
  ],
  [
    'has no indices',
    [
      chunkOf({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] }),
      chunkOf({ tool_calls: [{ function: { arguments: '}' } }] }),
      chunkOf({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: { y: 2 } } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: call('b', 'g'), text: '{"y":2}' },
    ],
  ],
  [
    'calls in the old way',
    [
      chunkOf({ function_call: { name: 'f', arguments: '{' } }),
      chunkOf({ function_call: { arguments: '}' } }),
      chunkOf({}, 'function_call'),
    ],
    [{ head: call('call_chatcmpl1_0', 'f'), text: '{}' }],
  ],
  [
    'speaks in the middle of a call',
    [
      chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }] }),
      HELLO,
      chunkOf({ tool_calls: [{ index: 0, function: { arguments: '}' } }] }),
      STOP,
    ],
    [
      { head: call('a', 'f'), text: '{}' },
      { head: { kind: 'text' }, text: 'Hello' },
    ],
  ],
])('a stream that %s is read', (_what, chunks, blocks) => {
  const events = eventsOf([sseOf(chunks)])
  expect(foldBlocks(events)).toEqual(blocks)
  const hasCalls = JSON.stringify(blocks).includes('tool-call')
  expect(events.at(-1)).toMatchObject({
    kind: 'reply-end',
    reason: { kind: hasCalls ? 'tool-calls' : 'done' },
  })
})

test('calls that are cut short end for their length', () => {
  const piece = chunkOf(
    { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x' } }] },
    'length',
  )
  expect(eventsOf([sseOf([piece, '[DONE]'])]).at(-1)).toMatchObject({ reason: { kind: 'length' } })
})

test('a reply without usage says so', () => {
  expect(eventsOf([sseOf([HELLO, STOP, '[DONE]'])]).at(-1)).toMatchObject({
    kind: 'reply-end',
    tokens: undefined,
  })
})

test('any reply, in any pieces, is read as it was', () => {
  const replies = arbitraryEvents({
    failures: false,
    blocks: ['text', 'reasoning', 'refusal', 'tool-call', 'tool-call'],
  })
  const numbers = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(replies, numbers, fc.constantFrom('\n', '\r\n', '\r'), (events, sizes, newline) => {
      const { chunks, toolNames } = spellChunks(events, sizes)
      const sse = sseOf([...chunks, chunkOf({}, 'stop'), '[DONE]'])
        .toString()
        .replaceAll('\n', newline)
      const read = eventsOf(cut(Buffer.from(sse), sizes), { provider: 'vendorC', toolNames })
      expect(foldBlocks(read)).toEqual(joined(foldBlocks(events)))
      expect(guarded(read)).toEqual(read)
      expect(read.at(-1)?.kind).toBe('reply-end')
    }),
    { numRuns: 600 },
  )
})

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

/** This wire has no ends of blocks: words of one kind in a row are one, and none are none. */
function joined(blocks: readonly FoldedBlock[]): FoldedBlock[] {
  const out: FoldedBlock[] = []
  for (const { head, text } of blocks) {
    const last = out.at(-1)
    if (head.kind === 'tool-call') out.push({ head, text })
    else if (text !== '' && last?.head.kind === head.kind) last.text += text
    else if (text !== '') out.push({ head, text })
  }
  return out
}

function guarded(events: readonly ReplyEvent[]): ReplyEvent[] {
  const passed: ReplyEvent[] = []
  const guard = createGuard((event) => passed.push(event))
  for (const event of events) guard.emit(event)
  return passed
}
