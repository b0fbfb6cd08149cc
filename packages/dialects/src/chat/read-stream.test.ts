import { expect, test } from 'vitest'
import { arbitraryEvents } from '../../../../test/fixtures/text/arbitrary-events.ts'
import {
  eventsOf,
  ORIGIN,
  readSse,
  readWhole,
  sseOf,
  WELL_ENDED,
} from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf, spellChunks } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { type FoldedBlock, foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readChatReply } from './read-stream.ts'

function eventsOfSse(name: string): ReplyEvent[] {
  return eventsOf([Buffer.from(readSse(name))])
}

test.each(WELL_ENDED)('%s: the stream and the whole reply have the same events', (name) => {
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

test('text is emitted piece by piece as it arrives', () => {
  const deltas = eventsOfSse('text').flatMap((event) => (event.kind === 'block-delta' ? [event.text] : []))
  expect(deltas).toEqual(['Water', ' finds', ' its way.'])
})

test('the next call begins as soon as a call is whole, before the reply ends', () => {
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

test('any reply in any pieces is read unchanged', () => {
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
    runs(600),
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

/** This dialect has no ends of blocks: consecutive texts of one kind become one block, and empty texts none. */
function joined(blocks: readonly FoldedBlock[]): FoldedBlock[] {
  const out: FoldedBlock[] = []
  for (const { head, text } of blocks) {
    const last = out.at(-1)
    if (head.kind === 'tool-call') out.push({ head, text, seal: undefined })
    else if (text !== '' && last?.head.kind === head.kind) last.text += text
    else if (text !== '') out.push({ head, text, seal: undefined })
  }
  return out
}

function guarded(events: readonly ReplyEvent[]): ReplyEvent[] {
  const passed: ReplyEvent[] = []
  const guard = createGuard((event) => passed.push(event))
  for (const event of events) guard(event)
  return passed
}
