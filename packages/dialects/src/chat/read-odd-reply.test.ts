import { expect, test } from 'vitest'
import { eventsOf, ORIGIN, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { readChatReply, readChatStream } from './read-stream.ts'

const HELLO = chunkOf({ content: 'Hello' })
const STOP = chunkOf({}, 'stop')
const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const COUNTED = { input: 100, cachedInput: 0, cacheWrite: 0, output: 20, reasoning: 0 }

function messageOf(message: object, finish: string | null = null): object {
  return { id: 'chatcmpl-1', choices: [{ index: 0, message, finish_reason: finish }] }
}

function call(text: string): object {
  return { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: text } }] }
}

function wordsOf(chunks: readonly unknown[]): string[] {
  return foldBlocks(eventsOf([sseOf(chunks)])).map(({ text }) => text)
}

test.each<[what: string, chunks: object[], words: string[]]>([
  [
    'its text',
    [HELLO, chunkOf({ content: ' you' }), messageOf({ content: 'Hello you' }, 'stop')],
    ['Hello you'],
  ],
  [
    'its text and a call',
    [HELLO, chunkOf(call('{}')), STOP, messageOf({ content: 'Hello', ...call('{}') }, 'tool_calls')],
    ['Hello', '{}'],
  ],
  ['a call without arguments', [chunkOf(call('')), messageOf(call(''), 'tool_calls')], ['']],
])('a stream that ends with a whole message repeats %s', (_what, chunks, words) => {
  const usage = { choices: [], usage: USAGE }
  expect(wordsOf([...chunks, usage])).toEqual(words)
  expect(eventsOf([sseOf([...chunks, usage])]).at(-1)).toMatchObject({ kind: 'reply-end', tokens: COUNTED })
})

test.each<[what: string, chunks: object[], words: string[]]>([
  [
    'a call',
    [HELLO, messageOf({ content: 'Hello', ...call('{"x":1}') }, 'tool_calls')],
    ['Hello', '{"x":1}'],
  ],
  [
    'its answer',
    [
      chunkOf({ reasoning_content: 'Hm.' }),
      messageOf({ reasoning_content: 'Hm.', content: 'It is 42.' }, 'stop'),
    ],
    ['Hm.', 'It is 42.'],
  ],
])('content that only the last message has is read too: %s', (_what, chunks, words) => {
  expect(wordsOf(chunks)).toEqual(words)
  expect(eventsOf([sseOf(chunks)]).at(-1)).toMatchObject({ kind: 'reply-end' })
})

test('a message that only repeats still has the end of the reply and its losses', () => {
  const end = messageOf({ content: 'Hello', annotations: [{ url: 'u' }] }, 'length')
  expect(eventsOf([sseOf([HELLO, { ...end, usage: USAGE }])]).at(-1)).toEqual({
    kind: 'reply-end',
    reason: { kind: 'length' },
    tokens: COUNTED,
    losses: ['citations'],
  })
})

test('a stream of messages is read piece by piece', () => {
  const chunks = [
    messageOf({ content: 'Hel' }),
    messageOf({ content: 'lo' }),
    messageOf(call('{"x"')),
    messageOf(call(':1}'), 'tool_calls'),
  ]
  expect(wordsOf(chunks)).toEqual(['Hello', '{"x":1}'])
})

test('a stream that had only the role is read from its message', () => {
  const chunks = [chunkOf({ role: 'assistant', content: '' }), messageOf({ content: 'Hello' }, 'stop')]
  expect(wordsOf(chunks)).toEqual(['Hello'])
})

test.each<[words: string[], end: object]>([
  [['length', 'stop'], { reason: { kind: 'length' } }],
  [['stop', 'length'], { reason: { kind: 'length' } }],
  [['content_filter', 'length'], { reason: { kind: 'content-filter' } }],
  [['abort', 'stop'], { failure: { kind: 'vendor' } }],
  [['tool_calls', 'stop'], { reason: { kind: 'done' } }],
])('the first end that is not good counts: %j', (words, end) => {
  const chunks = [HELLO, ...words.map((word) => chunkOf({ content: '' }, word))]
  expect(eventsOf([sseOf(chunks)]).at(-1)).toMatchObject(end)
})

test.each(['stop_reason', 'matched_stop'])(
  'the stop sequence of %s ends the text, but not calls',
  (member) => {
    const ending = { index: 0, delta: {}, finish_reason: 'stop', [member]: 'END' }
    expect(eventsOf([sseOf([HELLO, { choices: [ending] }])]).at(-1)).toMatchObject({
      reason: { kind: 'stop-sequence', sequence: 'END' },
    })
    const called = { choices: [{ ...ending, delta: call('{}') }] }
    expect(eventsOf([sseOf([called])]).at(-1)).toMatchObject({ reason: { kind: 'tool-calls' } })
  },
)

test('a reply that its vendor gave up fails with that error, even with unfinished calls', () => {
  const nameless = chunkOf({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'engine_overloaded')
  expect(eventsOf([sseOf([nameless])]).at(-1)).toMatchObject({ failure: { kind: 'busy' } })
})

test.each<[what: string, chunk: object, failure: object]>([
  [
    'a status beside a good end',
    { ...chunkOf({}, 'stop'), base_resp: { status_code: 1027, status_msg: 'Oh.' } },
    { kind: 'vendor', message: 'Oh.' },
  ],
  [
    'a status alone',
    { choices: null, base_resp: { status_code: 1002, status_msg: 'Oh.' } },
    { kind: 'busy' },
  ],
  [
    'an error in its choice',
    { choices: [{ delta: {}, finish_reason: 'stop', error: { code: 502, message: 'Oh.' } }] },
    { kind: 'vendor', message: 'Oh.' },
  ],
])('%s is a failure', (_what, chunk, failure) => {
  expect(eventsOf([sseOf([HELLO, chunk, '[DONE]'])]).at(-1)).toMatchObject({ failure })
})

test.each<[what: string, chunks: object[]]>([
  [
    'an empty error',
    [
      { ...HELLO, error: {} },
      { ...STOP, error: '' },
    ],
  ],
  ['a good status', [HELLO, { ...STOP, base_resp: { status_code: 0, status_msg: 'success' } }]],
  [
    'a null index',
    [
      { choices: [{ index: null, delta: { content: 'Hello' }, finish_reason: null }] },
      { choices: [{ index: null, delta: {}, finish_reason: 'stop' }] },
    ],
  ],
])('%s does not fail the reply', (_what, chunks) => {
  const events = eventsOf([sseOf(chunks)])
  expect(foldBlocks(events)).toMatchObject([{ text: 'Hello' }])
  expect(events.at(-1)).toMatchObject({ kind: 'reply-end' })
})

test.each<[where: string, chunks: object[]]>([
  ['in the choice', [HELLO, { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: USAGE }] }]],
  ['beside the reply', [HELLO, { ...STOP, x_groq: { id: 'r', usage: USAGE } }]],
  [
    'before a count of nothing',
    [
      { ...HELLO, usage: USAGE },
      { ...STOP, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
    ],
  ],
])('the count is found %s', (_where, chunks) => {
  expect(eventsOf([sseOf(chunks)]).at(-1)).toMatchObject({ kind: 'reply-end', tokens: COUNTED })
})

test('the count of chunks that differ only in their text is known before the end', () => {
  const reader = readChatStream(ORIGIN, () => {})
  for (const content of ['a', 'b', 'c'])
    reader.frame(undefined, JSON.stringify({ ...chunkOf({ content }), usage: USAGE }))
  expect(reader.tokens).toEqual(COUNTED)
})

test('the count of a whole reply may be in its choice', () => {
  const choice = { index: null, message: { content: 'Hello' }, finish_reason: 'stop', usage: USAGE }
  expect(readChatReply({ choices: [choice] }, ORIGIN).at(-1)).toMatchObject({ tokens: COUNTED })
})
