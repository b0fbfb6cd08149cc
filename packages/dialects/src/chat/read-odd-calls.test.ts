import { describe, expect, test, vi } from 'vitest'
import { eventsOf, ORIGIN, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readChatReply } from './read-stream.ts'

const END = chunkOf({}, 'tool_calls')

interface Piece {
  index?: number
  id?: string | null
  name?: string | null
  arguments?: unknown
}

function entryOf({ index, id, ...called }: Piece): object {
  return { index, id, type: 'function', function: called }
}

function chunk(...pieces: Piece[]): object {
  return chunkOf({ tool_calls: pieces.map(entryOf) })
}

/** Content of these events for a client: `id name arguments` of each call, and the text. */
function reported(events: readonly ReplyEvent[]): string[] {
  const passed: ReplyEvent[] = []
  events.forEach(createGuard((event) => passed.push(event)))
  expect(passed.at(-1)).toMatchObject({ kind: 'reply-end' })
  return foldBlocks(passed).map(({ head, text }) =>
    head.kind === 'tool-call' ? `${head.callId} ${head.name} ${text}` : text,
  )
}

const [ONE, TWO] = ['call_chatcmpl1_0', 'call_chatcmpl1_1']

test.each<[what: string, chunks: object[], calls: string[]]>([
  [
    'both have index 0 and no id',
    [chunk({ index: 0, name: 'f', arguments: '{"x":1}' }), chunk({ index: 0, name: 'g', arguments: '{}' })],
    [`${ONE} f {"x":1}`, `${TWO} g {}`],
  ],
  [
    'both have index 0, an empty id and one name',
    [
      chunk({ index: 0, id: '', name: 'f', arguments: '{"x":1}' }),
      chunk({ index: 0, id: '', name: 'f', arguments: '{"x":2}' }),
    ],
    [`${ONE} f {"x":1}`, `${TWO} f {"x":2}`],
  ],
  [
    'both have index 0 and come in pieces',
    [
      chunk({ index: 0, name: 'f', arguments: '' }),
      chunk({ index: 0, arguments: '{"x":' }),
      chunk({ index: 0, arguments: '1}' }),
      chunk({ index: 0, name: 'g', arguments: '' }),
      chunk({ index: 0, arguments: '{}' }),
    ],
    [`${ONE} f {"x":1}`, `${TWO} g {}`],
  ],
  [
    'they have neither index nor id',
    [chunk({ name: 'f', arguments: '{}' }), chunk({ name: 'f', arguments: '{}' })],
    [`${ONE} f {}`, `${TWO} f {}`],
  ],
  [
    'they have no index, id or arguments, in one chunk',
    [chunk({ name: 'f', arguments: '' }, { name: 'g', arguments: '' })],
    [`${ONE} f `, `${TWO} g `],
  ],
  [
    'both have null for arguments',
    [chunk({ index: 0, name: 'f', arguments: 'null' }), chunk({ index: 0, name: 'g', arguments: 'null' })],
    [`${ONE} f `, `${TWO} g `],
  ],
  [
    'they share their id',
    [
      chunk({ index: 0, id: 'a', name: 'f', arguments: '{}' }),
      chunk({ index: 1, id: 'a', name: 'f', arguments: '{"x":2}' }),
    ],
    ['a f {}', `${TWO} f {"x":2}`],
  ],
])('two calls are two when %s', (_what, chunks, calls) => {
  expect(reported(eventsOf([sseOf([...chunks, END])]))).toEqual(calls)
})

test.each<[what: string, chunks: object[]]>([
  [
    'its id changes',
    [
      chunk({ index: 0, id: 'a', name: 'f' }),
      chunk({ index: 0, id: 'b', arguments: '{"x":' }),
      chunk({ index: 0, id: 'c', arguments: '1}' }),
    ],
  ],
  [
    'its index comes later',
    [
      chunk({ id: 'a', name: 'f', arguments: '' }),
      chunk({ index: 0, arguments: '{"x":' }),
      chunk({ index: 0, arguments: '1}' }),
    ],
  ],
  [
    'its index changes',
    [
      chunk({ index: 1, id: 'a', name: 'f', arguments: '' }),
      chunk({ index: 0, id: null, name: null, arguments: '{"x":' }),
      chunk({ index: 0, id: null, name: null, arguments: '1}' }),
    ],
  ],
  [
    'its name is in every chunk',
    [
      chunk({ index: 0, id: 'a', name: 'f', arguments: '' }),
      chunk({ index: 0, name: 'f', arguments: '{"x":1' }),
      chunk({ index: 0, name: 'f', arguments: '}' }),
      chunk({ index: 0, name: 'f', arguments: '' }),
    ],
  ],
  [
    'its name comes in pieces, with empty arguments beside each',
    [
      chunk({ index: 0, id: 'a', name: '', arguments: '' }),
      chunk({ index: 0, id: 'a', name: 'f', arguments: '' }),
      chunk({ index: 0, arguments: '{"x":1}' }),
    ],
  ],
  [
    'it is repeated at the end',
    [
      chunk({ index: 0, id: 'a', name: 'f', arguments: '{"x":' }),
      chunk({ index: 0, arguments: '1}' }),
      chunk({ index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }),
    ],
  ],
  [
    'an empty call is beside it',
    [chunk({ index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }), chunk({ index: 1, id: '' })],
  ],
])('one call stays one when %s', (_what, chunks) => {
  expect(reported(eventsOf([sseOf([...chunks, END])]))).toEqual(['a f {"x":1}'])
})

test('the arguments of a call may have another index than its head', () => {
  const chunks = [
    chunk({ index: 0, id: 'a', name: 'f', arguments: '' }),
    chunk({ index: 0, arguments: '{"x":1}' }),
    chunk({ index: 1, id: 'b', name: 'g', arguments: '' }),
    chunk({ index: 0, arguments: '{"y":' }),
    chunk({ index: 0, arguments: '2}' }),
  ]
  expect(reported(eventsOf([sseOf([...chunks, END])]))).toEqual(['a f {"x":1}', 'b g {"y":2}'])
})

test('a call without a name or arguments is dropped if the reply has a text, and else fails the reply', () => {
  const empty = chunk({ index: 0, id: '' })
  const events = eventsOf([sseOf([chunkOf({ content: 'Done.' }), empty, chunkOf({}, 'stop')])])
  expect(reported(events)).toEqual(['Done.'])
  expect(events.at(-1)).toMatchObject({ reason: { kind: 'done' } })
  expect(eventsOf([sseOf([empty, END])]).at(-1)).toMatchObject({ kind: 'reply-failed' })
  const cut = eventsOf([sseOf([empty, chunkOf({}, 'length')])])
  expect(cut.at(-1)).toMatchObject({ kind: 'reply-end', reason: { kind: 'length' } })
})

test('a blank piece after the end of a call is ignored', () => {
  const whole = chunk({ index: 0, id: 'a', name: 'f', arguments: '{}' })
  const blank = chunk({ index: 0, arguments: ' \n' })
  expect(reported(eventsOf([sseOf([whole, chunkOf({ content: '!' }), blank, END])]))).toEqual(['a f {}', '!'])
})

test.each<[what: string, entries: Piece[], calls: string[]]>([
  [
    'neither index nor id',
    [
      { name: 'f', arguments: '{}' },
      { name: 'f', arguments: '{}' },
    ],
    [`${ONE} f {}`, `${TWO} f {}`],
  ],
  [
    'nothing but one name',
    [
      { index: 0, name: 'f', arguments: '' },
      { index: 0, name: 'f', arguments: '' },
    ],
    [`${ONE} f `, `${TWO} f `],
  ],
  [
    'one id',
    [
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'a', name: 'f', arguments: '{}' },
    ],
    ['a f {}', `${TWO} f {}`],
  ],
])('every entry of a whole reply is a separate call: %s', (_what, entries, calls) => {
  const message = { content: null, tool_calls: entries.map(entryOf) }
  const body = { id: 'chatcmpl-1', choices: [{ message, finish_reason: 'tool_calls' }] }
  expect(reported(readChatReply(body, ORIGIN))).toEqual(calls)
})

describe('arguments that are null become an empty object', () => {
  test.each([['null'], ['n', 'ull'], [' nul', 'l '], ['null', ' '], [' ']])('%j %j', (...pieces) => {
    const [head, ...rest] = pieces.map((piece) => chunk({ index: 0, arguments: piece }))
    const named = chunk({ index: 0, id: 'a', name: 'f' })
    expect(reported(eventsOf([sseOf([named, head, ...rest, END])]))).toEqual(['a f '])
  })

  test('arguments that only begin like null are emitted as soon as that is clear', () => {
    const events = eventsOf([
      sseOf([' ', '{', '"x"'].map((piece) => chunk({ index: 0, id: 'a', name: 'f', arguments: piece }))),
    ])
    const deltas = events.flatMap((event) => (event.kind === 'block-delta' ? [event.text] : []))
    expect(deltas).toEqual([' {', '"x"'])
  })

  test.each(['nu', 'nullable'])('%s is not null', (word) => {
    const events = eventsOf([sseOf([chunk({ index: 0, id: 'a', name: 'f', arguments: word }), END])])
    expect(foldBlocks(events)).toMatchObject([{ text: word }])
  })
})

test('a name in pieces is joined if its call has an id', () => {
  const chunks = [
    chunk({ index: 0, id: 'a', name: 'get_', arguments: '' }),
    chunk({ index: 0, name: 'weather', arguments: '' }),
    chunk({ index: 0, arguments: '{"c":1}' }),
  ]
  expect(reported(eventsOf([sseOf([...chunks, END])]))).toEqual(['a get_weather {"c":1}'])
})

test('blanks after its arguments do not keep a call open', () => {
  const chunks = [
    chunk({ index: 0, name: 'f', arguments: '{"a":1}\n' }),
    chunk({ index: 0, name: 'g', arguments: ' null' }),
    chunk({ index: 0, name: 'h', arguments: '{}' }),
  ]
  expect(
    reported(eventsOf([sseOf([...chunks, END])])).map((call) => call.replace(/^\S+ /, '').trim()),
  ).toEqual(['f {"a":1}', 'g', 'h {}'])
})

test('a reply with more than 512 calls fails', () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => entryOf({ id: `t${at}`, name: 'f', arguments: '{}' }))
  const read = (count: number) =>
    readChatReply(
      { choices: [{ message: { tool_calls: calls(count) }, finish_reason: 'tool_calls' }] },
      ORIGIN,
    )
  expect(read(512).at(-1)).toMatchObject({ kind: 'reply-end' })
  expect(read(513).at(-1)).toMatchObject({ kind: 'reply-failed' })
})

test('arguments with text behind their object are never complete, and are not parsed again', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const spelled = '{"a":1}{}'
  const turns = Array.from({ length: 50 }, () => [
    chunkOf({ content: 'a' }),
    chunkOf({ reasoning: 'b' }),
  ]).flat()
  const stream = sseOf([chunk({ index: 0, id: 't', name: 'f', arguments: spelled }), ...turns, END])
  eventsOf([stream])
  expect(parse.mock.calls.filter(([json]) => json === spelled)).toHaveLength(1)
  parse.mockRestore()
})

test('waiting calls are kept up to a limit', () => {
  const more = (count: number) => Array(count).fill(chunk({ index: 1, arguments: 'x'.repeat(512 * 1024) }))
  const first = chunk({ index: 0, id: 't', name: 'f', arguments: '{"a":' }, { index: 1, id: 'u', name: 'f' })
  const read = (count: number) => eventsOf([sseOf([first, ...more(count)])]).at(-1)
  expect(read(8)).toMatchObject({ failure: { message: expect.stringContaining('stopped before its end') } })
  expect(read(9)).toMatchObject({ failure: { message: expect.stringContaining('out of order') } })
})
