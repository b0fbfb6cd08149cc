import { describe, expect, test } from 'vitest'
import { type FoldedBlock, foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import {
  eventsOf,
  ORIGIN,
  readSse,
  readWhole,
  WELL_ENDED,
} from '../../../../test/fixtures/text/messages/fixture.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readMessagesReply, readMessagesStream } from './read-stream.ts'

describe.each(WELL_ENDED)('%s', (name) => {
  const streamed = eventsOf(readSse(name))
  const whole = readMessagesReply(readWhole(name), ORIGIN)

  test('gives the same events streamed and whole', () => {
    expect(foldBlocks(streamed).map(withoutBlanks)).toEqual(foldBlocks(whole))
    expect(streamed.at(-1)).toEqual(whole.at(-1))
    expect(streamed.at(-1)?.kind).toBe('reply-end')
  })

  test('passes the guard unchanged', () => {
    for (const events of [streamed, whole]) {
      const passed: ReplyEvent[] = []
      const guard = createGuard((event) => passed.push(event))
      for (const event of events) guard(event)
      expect(passed).toEqual(events)
    }
  })
})

/** A streamed call may have blanks in its JSON that a whole one has lost. */
function withoutBlanks(block: FoldedBlock): FoldedBlock {
  const isJson = block.head.kind === 'tool-call' && block.head.input === 'json' && block.text !== ''
  return isJson ? { ...block, text: JSON.stringify(JSON.parse(block.text)) } : block
}

const lastOf = (name: string) => eventsOf(readSse(name)).at(-1)
const blocksOf = (name: string) => foldBlocks(eventsOf(readSse(name)))

test.each([
  ['text', { kind: 'done' }],
  ['stop-sequence', { kind: 'stop-sequence', sequence: 'three' }],
  ['tool-call', { kind: 'tool-calls' }],
  ['length', { kind: 'length' }],
  ['context-window', { kind: 'length' }],
  ['server-tool', { kind: 'length' }],
  ['refusal', { kind: 'content-filter' }],
])('the reason of %s', (name, reason) => {
  expect(lastOf(name)).toMatchObject({ kind: 'reply-end', reason })
})

test('counts are disjoint, and the last count of the output is used', () => {
  expect(eventsOf(readSse('cache'))[0]).toEqual({
    kind: 'reply-start',
    tokens: { input: 7, cachedInput: 20480, cacheWrite: 1024, output: 1 },
  })
  expect(lastOf('cache')).toMatchObject({
    tokens: { input: 7, cachedInput: 20480, cacheWrite: 1024, output: 5, reasoning: 0 },
  })
  expect(lastOf('reasoning')).toMatchObject({ tokens: { output: 33, reasoning: 21 } })
})

test('a call keeps the spelling of its input', () => {
  expect(blocksOf('tool-call')[1]).toEqual({
    head: { kind: 'tool-call', callId: 'toolu_01A', name: 'read_file', namespace: undefined, input: 'json' },
    text: '{"path": "src/main.ts", "lines": [1, 20]}',
    seal: undefined,
  })
  expect(blocksOf('parallel-calls').map(({ text }) => text)).toEqual([
    '{"city":"Oslo"}',
    '{"city":"Lima"}',
    '',
  ])
})

test('a custom call gets its own name and its raw text back', () => {
  expect(blocksOf('custom-call')).toEqual([
    {
      head: {
        kind: 'tool-call',
        callId: 'toolu_01E',
        name: 'apply_patch',
        namespace: 'edit',
        input: 'text',
      },
      text: '*** Begin Patch\n*** Add File: a "b".txt\n+héllo \\ wörld\n*** End Patch',
      seal: undefined,
    },
  ])
})

test('reasoning is sealed by its provider; redacted and omitted thinking have only the seal', () => {
  expect(blocksOf('reasoning')[0]).toEqual({
    head: { kind: 'reasoning' },
    text: 'The user wants a number.\n\nSeven is one.',
    seal: { provider: 'vendorD', proof: 'EqQBCgIYAhIkc2lnbmF0dXJl' },
  })
  const [redacted, omitted] = blocksOf('redacted')
  expect(redacted).toMatchObject({ text: '', seal: { proof: 'redacted:EmwKAhgBEgy3va3pzix' } })
  expect(omitted).toMatchObject({ text: '', seal: { proof: 'EqQBCgIYAhIkb21pdHRlZA==' } })
})

test('a block that only this dialect knows is kept unchanged', () => {
  const [use, result] = blocksOf('server-tool')
  expect(use?.head).toMatchObject({ kind: 'opaque', raw: { name: 'web_search', input: { query: 'sluice' } } })
  expect(result?.head).toMatchObject({ kind: 'opaque', raw: { type: 'web_search_tool_result' } })
})

test("an error event is the vendor's failure", () => {
  expect(lastOf('error')).toEqual({
    kind: 'reply-failed',
    failure: { kind: 'busy', message: 'Overloaded' },
  })
  expect(readMessagesReply(readWhole('error'), ORIGIN)).toEqual([
    { kind: 'reply-failed', failure: { kind: 'busy', message: 'Overloaded' } },
  ])
})

test('a stream that stops before its end has failed, wherever it stops', () => {
  const frames = readSse('reasoning').split('\n\n').slice(0, -2)
  for (let count = 0; count < frames.length; count += 1) {
    const cut = frames.slice(0, count).map((frame) => `${frame}\n\n`)
    expect(eventsOf(cut.join('')).at(-1)).toMatchObject({
      kind: 'reply-failed',
      failure: { kind: 'broken' },
    })
  }
  expect(lastOf('cut')).toMatchObject({ kind: 'reply-failed' })
})

const START = '{"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}'
const TEXT = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
const SAY = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'
const STOP = '{"type":"content_block_stop","index":0}'
const END = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}'
const OVER = '{"type":"message_stop"}'

function startOf(id: string, inputTokens = 1): string {
  const usage = { input_tokens: inputTokens, output_tokens: 1 }
  return JSON.stringify({ type: 'message_start', message: { id, usage } })
}

/** Frames without an `event:` line are known by their type. */
function read(...frames: (string | [string, string])[]): ReplyEvent[] {
  const events: ReplyEvent[] = []
  const reader = readMessagesStream(ORIGIN, (event) => events.push(event))
  for (const frame of frames) {
    if (typeof frame === 'string') reader.frame(undefined, frame)
    else reader.frame(...frame)
  }
  reader.close()
  return events
}

test.each([
  ['broken JSON', [START, TEXT, '{"type":"content_']],
  ['broken JSON in an unknown event', [START, ['later', '{']]],
  ['data that is not an object', [START, '7']],
  ['no start', [TEXT]],
  ['two starts', [START, START]],
  ['two messages', [startOf('msg_1'), startOf('msg_2')]],
  ['a start without a message', ['{"type":"message_start"}']],
  ['a block within a block', [START, TEXT, TEXT.replace('"index":0', '"index":1')]],
  ['a delta of another block', [START, TEXT, SAY.replace('"index":0', '"index":1')]],
  ['a delta of another kind', [START, TEXT, SAY.replace('text_delta', 'thinking_delta')]],
  ['a delta outside a block', [START, SAY]],
  ['the end of a block that is not open', [START, STOP]],
  ['a reason within a block', [START, TEXT, END]],
  ['a block after the reason', [START, END, TEXT]],
  ['an end within a block', [START, TEXT, OVER]],
  ['an end without a reason', [START, TEXT, STOP, OVER]],
  ['a call without an id', [START, TEXT.replace('"text","text":""', '"tool_use","name":"x","input":{}')]],
] as [string, (string | [string, string])[]][])('%s fails the stream once', (_name, frames) => {
  const events = read(...frames, SAY, END, OVER)
  expect(events.filter(({ kind }) => kind === 'reply-failed')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
})

test('a repeated start of the same message is ignored at any position', () => {
  const once = read(startOf('msg_1', 8), TEXT, SAY, STOP, END, OVER)
  const again = startOf('msg_1')
  const frames = [startOf('msg_1', 8), again, TEXT, again, SAY, STOP, again, END, again, OVER]
  expect(read(...frames)).toEqual(once)
  expect(once.at(-1)).toMatchObject({ kind: 'reply-end', tokens: { input: 8, output: 1 } })
})

test('unknown events and fields are ignored', () => {
  const tomorrow = SAY.replace('{"type":"text_delta","text":"x"}', '{"type":"mood_delta","mood":"fair"}')
  const events = read(['later', '[1]'], START, ['ping', '{}'], TEXT, tomorrow, SAY, STOP, END, OVER)
  expect(foldBlocks(events)).toEqual([{ head: { kind: 'text' }, text: 'x', seal: undefined }])
  expect(events.at(-1)).toMatchObject({ kind: 'reply-end' })
})

test('a missing output count leaves the input count, and the other way round', () => {
  const uncounted = '{"type":"message_delta","delta":{"stop_reason":"end_turn"}}'
  expect(read(START, uncounted, OVER).at(-1)).toMatchObject({
    kind: 'reply-end',
    tokens: { input: 1, output: 0 },
  })
  const silent = '{"type":"message_start","message":{}}'
  expect(read(silent, END, OVER)).toMatchObject([{ tokens: undefined }, { tokens: { input: 0, output: 1 } }])
})

test.each([
  undefined,
  null,
  'text',
  { content: 'x' },
  { content: [7], stop_reason: 'end_turn' },
  { content: [] },
])('a body that is not a message: %j', (body) => {
  const events = readMessagesReply(body, ORIGIN)
  expect(events.at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
})

test.each([['"rm"'], ['[]'], ['7']])('a whole call with %s for its input is not a call', (input) => {
  const content = [{ type: 'tool_use', id: 'a', name: 'run', input: JSON.parse(input) }]
  const events = readMessagesReply({ type: 'message', content, stop_reason: 'tool_use' }, ORIGIN)
  expect(events.at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
})

test('the final count is known before the end of the stream; the count of the start is not final', () => {
  const reader = readMessagesStream(ORIGIN, () => {})
  const say = (type: string, more: object) => reader.frame(type, JSON.stringify({ type, ...more }))
  say('message_start', { message: { usage: { input_tokens: 10, output_tokens: 1 } } })
  expect(reader.tokens).toBeUndefined()
  say('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5_000 } })
  expect(reader.tokens).toMatchObject({ input: 10, output: 5_000 })
})
