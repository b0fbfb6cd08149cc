import { describe, expect, test } from 'vitest'
import { eventsOf, ORIGIN, readSse, readWhole, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readChatReply, readChatStream } from './read-stream.ts'

function failureOf(chunks: readonly unknown[]): unknown {
  const failed = eventsOf([sseOf(chunks)]).filter((event) => event.kind === 'reply-failed')
  expect(failed).toHaveLength(1)
  return failed[0]?.failure
}

const HELLO = chunkOf({ content: 'Hello' })
const STOP = chunkOf({}, 'stop')

test.each<[what: string, chunks: unknown[], failure: object]>([
  ['stops without an end', [HELLO], { kind: 'broken' }],
  ['has [DONE] without a finish reason', [HELLO, '[DONE]'], { kind: 'broken' }],
  ['has no event', [], { kind: 'broken' }],
  ['is not JSON', [HELLO, '{"id":'], { kind: 'broken' }],
  ['is not an object', [HELLO, '[]'], { kind: 'broken' }],
  ['has choices that are not a list', [{ choices: {} }], { kind: 'broken' }],
  ['has a choice that is not an object', [{ choices: [1] }], { kind: 'broken' }],
  ['has a delta that is not an object', [{ choices: [{ delta: 'x' }] }], { kind: 'broken' }],
  ['has content that is not text', [chunkOf({ content: 4 })], { kind: 'broken' }],
  ['has calls that are not a list', [chunkOf({ tool_calls: 'x' })], { kind: 'broken' }],
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
    'refuses the request',
    [{ error: { message: 'Too long.', type: 'invalid_request_error', code: null } }],
    { kind: 'refused', message: 'Too long.' },
  ],
  [
    'has an object of the kind error',
    [{ object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }],
    { kind: 'refused', message: 'No.' },
  ],
  ['ends with an error', [HELLO, chunkOf({}, 'error'), '[DONE]'], { kind: 'vendor' }],
  ['ran out of room', [HELLO, chunkOf({}, 'insufficient_system_resource'), '[DONE]'], { kind: 'busy' }],
])('a stream that %s has failed, once', (_what, chunks, failure) => {
  expect(failureOf([...chunks])).toMatchObject(failure)
})

test('an event named error fails the reply, whatever it contains', () => {
  const events = eventsOf([Buffer.from('event: error\ndata: {"message":"Gone."}\n\n')])
  expect(events).toEqual([{ kind: 'reply-failed', failure: { kind: 'vendor', message: 'Gone.' } }])
})

test('a call that continues after its end fails the reply', () => {
  const piece = (index: number, text: string) =>
    chunkOf({ tool_calls: [{ index, function: { name: 'f', arguments: text } }] })
  expect(failureOf([piece(0, '{}'), piece(1, '{}'), piece(0, '{}'), STOP, '[DONE]'])).toMatchObject({
    kind: 'broken',
  })
})

test('the fixtures error and cut end as failures', () => {
  expect(eventsOfSse('error').at(-1)).toEqual({
    kind: 'reply-failed',
    failure: { kind: 'vendor', message: 'The server had an error.' },
  })
  expect(readChatReply(readWhole('error'), ORIGIN)).toEqual([eventsOfSse('error').at(-1)])
  expect(eventsOfSse('cut').at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
})

test.each([undefined, null, 'x', [], {}, { choices: [] }, { choices: [{ message: { content: 'x' } }] }])(
  '%j is not a whole reply',
  (body) => {
    expect(readChatReply(body, ORIGIN).at(-1)).toMatchObject({
      kind: 'reply-failed',
      failure: { kind: 'broken' },
    })
  },
)

function eventsOfSse(name: string): ReplyEvent[] {
  return eventsOf([Buffer.from(readSse(name))])
}

test.each([
  ['cut off', '{"command":"rm', 'tool_calls', 'reply-failed'],
  ['no object', '"rm"', 'stop', 'reply-failed'],
  ['cut off by the bound', '{"command":"rm', 'length', 'reply-end'],
])('a whole call whose arguments are %s: %s, %s', (_what, spelled, finish, kind) => {
  const call = { id: 'a', type: 'function', function: { name: 'run', arguments: spelled } }
  const body = { choices: [{ index: 0, message: { tool_calls: [call] }, finish_reason: finish }] }
  const passed: ReplyEvent[] = []
  readChatReply(body, ORIGIN).forEach(createGuard((event) => passed.push(event)))
  expect(passed.at(-1)).toMatchObject({ kind })
})

describe('the usage that the vendor reported is known', () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 900 } }
  const COUNTED = { input: 100, cachedInput: 900, cacheWrite: 0, output: 500, reasoning: 0 }
  const CALL = chunkOf({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }, 'tool_calls')

  test.each<[when: string, chunks: unknown[], output: number]>([
    ['in the middle of a stream', [{ ...HELLO, usage }], 500],
    [
      'by its last count, where every chunk has one',
      [
        { ...HELLO, usage: { ...usage, completion_tokens: 1 } },
        { ...HELLO, usage },
      ],
      500,
    ],
    ['when chunks without a count follow', [{ ...HELLO, usage }, HELLO, { ...HELLO, usage: null }], 500],
    ['when the reply ends with an error', [HELLO, { ...chunkOf({}, 'error'), usage }, '[DONE]'], 500],
    ['when the error itself brings it', [HELLO, { error: { message: 'Oh.' }, usage }], 500],
    ['when a call is broken', [{ ...CALL, usage }, '[DONE]'], 500],
    ['when its own chunk is broken', [{ choices: [1], usage }], 500],
  ])('%s', (_when, chunks, output) => {
    expect(countedIn(chunks)).toEqual({ ...COUNTED, output })
  })

  test('as undefined when the vendor reported none', () => {
    expect(countedIn([HELLO, { ...HELLO, usage: null }, { ...HELLO, usage: {} }])).toBeUndefined()
  })

  function countedIn(chunks: readonly unknown[]): unknown {
    const reader = readChatStream(ORIGIN, () => {})
    for (const chunk of chunks)
      reader.frame(undefined, typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
    return reader.tokens
  }
})
