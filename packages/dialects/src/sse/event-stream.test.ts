import { describe, expect, test } from 'vitest'
import { STREAM_CASES } from '../../../../test/fixtures/text/event-stream-cases.ts'
import { createStreamRelay } from '../relay/relay-stream.ts'
import { createFrameSplitter } from './split-frames.ts'

type Seen = [name: string | undefined, data: string]

function split(chunks: readonly Uint8Array[]): Seen[] {
  const seen: Seen[] = []
  const splitter = createFrameSplitter((name, data) => seen.push([name, data]), { maxFrameBytes: 100_000 })
  for (const chunk of chunks) expect(splitter.push(chunk)).toBe(true)
  splitter.end()
  return seen
}

/** Cuts the bytes into single ones, and into two pieces at every position. */
function waysToCut(bytes: Buffer): Buffer[][] {
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  const pairs = Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ])
  return [[bytes], single, ...pairs]
}

/** Removes equal results, so that a difference is reported once. */
function distinct(results: readonly unknown[]): unknown[] {
  return [...new Set(results.map((result) => JSON.stringify(result)))].map((result) => JSON.parse(result))
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

test.each(STREAM_CASES)('$title', ({ stream, events, ours }) => {
  const results = waysToCut(Buffer.from(stream)).map(split)
  expect(distinct(results)).toEqual([plain(ours?.events ?? events)])
  if (ours !== undefined) expect(ours.events).not.toEqual(events)
})

const USAGE = { input_tokens: 5, output_tokens: 1 }
const EVENTS = [
  { type: 'message_start', message: { id: 'msg_1', model: 'theirs', usage: USAGE } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'é 水' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
]

/** Events in every spelling that the format allows. */
const SPELLINGS: Readonly<Record<string, (name: string, json: string) => string>> = {
  usual: (name, json) => `event: ${name}\ndata: ${json}\n\n`,
  'without spaces': (name, json) => `event:${name}\ndata:${json}\n\n`,
  'without a name': (_name, json) => `data: ${json}\n\n`,
  'an empty name': (_name, json) => `event:\ndata: ${json}\n\n`,
  'the name last': (name, json) => `data: ${json}\nevent: ${name}\n\n`,
  CR: (name, json) => `event: ${name}\rdata: ${json}\r\r`,
  CRLF: (name, json) => `event: ${name}\r\ndata: ${json}\r\n\r\n`,
  'mixed ends of lines': (name, json) => `event: ${name}\rdata: ${json}\n\r\n`,
  comments: (name, json) => `: before\n\n:\nevent: ${name}\n:data: no\ndata: ${json}\n: after\n\n`,
  'other fields': (name, json) => `id: 1\0\nretry: 5\nevent: ${name}\nData: no\ndata: ${json}\nfoo\n\n`,
  'many blank lines': (name, json) => `\n\nevent: ${name}\ndata: ${json}\n\n\n\n`,
  'data in several lines': (name, json) => `event: ${name}\ndata: ${json.replace(/,/g, ',\ndata:')}\n\n`,
}

describe('the relay of bytes finds the same events', () => {
  const spelled = (spell: (name: string, json: string) => string) =>
    EVENTS.map((event) => spell(event.type, JSON.stringify(event))).join('')
  const wanted = EVENTS.map((event) => JSON.stringify(event).replace('theirs', 'ours/model'))

  test.each([
    ...Object.entries(SPELLINGS).map(([title, spell]): [string, string] => [title, spelled(spell)]),
    ...Object.entries(SPELLINGS).map(([title, spell]): [string, string] => [
      `${title}, behind a byte order mark`,
      `\ufeff${spelled(spell)}`,
    ]),
    [
      'usual, without the last blank line',
      spelled((name, json) => `event: ${name}\ndata: ${json}\n\n`).trimEnd(),
    ],
  ])('%s', (_title, stream) => {
    const results = waysToCut(Buffer.from(stream)).map((chunks) => {
      const relay = createStreamRelay({ dialect: 'messages', model: 'ours/model', maxFrameBytes: 100_000 })
      const passed = [...chunks.map((chunk) => relay.push(chunk)), relay.close()]
      const events = split(passed).map(([, data]) => JSON.stringify(JSON.parse(data)))
      return { state: relay.state, events, tokens: relay.tokens }
    })
    const tokens = { input: 5, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 0 }
    expect(distinct(results)).toEqual([{ state: 'ended', events: wanted, tokens }])
  })
})
