import { describe, expect, test } from 'vitest'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import {
  eventsOf,
  ORIGIN,
  readSse,
  readWhole,
  WELL_ENDED,
} from '../../../../test/fixtures/text/responses/fixture.ts'
import { call, reasoning, text } from '../../../../test/fixtures/text/responses/folded.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readResponsesReply, readResponsesStream } from './read-stream.ts'

const BLOCKS: Record<string, unknown[]> = {
  text: [text('Hello, world.')],
  'two-parts': [text('First part.'), text('Second.')],
  'tool-call': [call('call_01', 'get_weather', '{"city":"Oslo"}')],
  'text-and-call': [
    text('Let me look.'),
    call('call_02', 'get_weather', '{"city":"Lima"}', { namespace: 'weather' }),
  ],
  'parallel-calls': [
    call('call_03', 'get_weather', '{"city":"Oslo"}'),
    call('call_04', 'get_time', '{"zone":"CET"}'),
  ],
  'custom-call': [
    call('call_05', 'apply_patch', '*** Begin Patch\n*** Add File: a.txt\n+"hi"\n*** End Patch\n', {
      input: 'text',
    }),
  ],
  reasoning: [
    reasoning('**Plan**\n\nLook at it.\n\n**Check**\n\nDone.', 'rs_01:gAAAAABproof.with.dots=='),
    text('42'),
  ],
  'hidden-reasoning': [reasoning('', 'rs_02:gAAAAABhidden'), text('Yes.')],
  thoughts: [reasoning('Let me think.'), text('Ok.')],
  refusal: [{ head: { kind: 'refusal' }, text: 'I cannot help with that.', seal: undefined }],
  length: [text('Once upon a time')],
  'content-filter': [text('It begins')],
  cache: [text('From the cache.')],
  unicode: [
    text('水が流れる 🌊👨‍👩‍👧 e\u0301 \u2028line\u2029\r\nend\r\n\nevent: response.completed\ndata: {}\n\n'),
  ],
  empty: [],
  'server-tool': [
    {
      head: {
        kind: 'opaque',
        origin: 'responses',
        raw: {
          id: 'ws_01',
          type: 'web_search_call',
          status: 'completed',
          action: { type: 'search', query: 'sluice' },
        },
      },
      text: '',
      seal: undefined,
    },
    text('Found it.'),
  ],
  'done-only': [text('All at once.'), call('call_06', 'get_weather', '{"city":"Rome"}')],
}

const REASONS: Record<string, string> = {
  'tool-call': 'tool-calls',
  'text-and-call': 'tool-calls',
  'parallel-calls': 'tool-calls',
  'custom-call': 'tool-calls',
  'done-only': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
}

test('every fixture has its blocks', () => {
  expect(Object.keys(BLOCKS).sort()).toEqual([...WELL_ENDED].sort())
})

describe.each(WELL_ENDED)('%s', (name) => {
  const events = eventsOf(readSse(name))

  test('gives its blocks and its end', () => {
    expect(foldBlocks(events)).toEqual(BLOCKS[name])
    expect(events[0]).toEqual({ kind: 'reply-start', tokens: undefined })
    expect(events.at(-1)).toMatchObject({ kind: 'reply-end', reason: { kind: REASONS[name] ?? 'done' } })
  })

  test('passes the guard unchanged', () => {
    const passed: ReplyEvent[] = []
    const guard = createGuard((event) => passed.push(event))
    for (const event of events) guard(event)
    expect(passed).toEqual(events)
  })

  test('has the events of the whole reply', () => {
    const whole = readResponsesReply(readWhole(name), ORIGIN)
    expect(foldBlocks(whole)).toEqual(foldBlocks(events))
    expect(whole.at(-1)).toEqual(events.at(-1))
  })
})

test('splits the counts, so that none is charged twice', () => {
  expect(eventsOf(readSse('cache')).at(-1)).toMatchObject({
    tokens: { input: 208, cachedInput: 1536, cacheWrite: 256, output: 5, reasoning: 0 },
  })
  expect(eventsOf(readSse('reasoning')).at(-1)).toMatchObject({ tokens: { output: 140, reasoning: 128 } })
})

describe('failures', () => {
  const FAILED: [string, object][] = [
    ['error', { kind: 'vendor', message: 'The server had an error while processing your request.' }],
    ['busy', { kind: 'busy', message: 'Rate limit reached.' }],
    ['cut', { kind: 'broken' }],
  ]

  test.each(FAILED)('%s', (name, failure) => {
    const events = eventsOf(readSse(name))
    expect(events.at(-1)).toMatchObject({ kind: 'reply-failed', failure })
    expect(events.filter(({ kind }) => kind === 'reply-failed' || kind === 'reply-end')).toHaveLength(1)
  })

  const WHOLE: [string, unknown, string][] = [
    ['a failed reply', readWhole('error'), 'vendor'],
    ['an error in place of a reply', { error: { code: 'rate_limit_exceeded', message: 'Slow' } }, 'busy'],
    ['an unfinished reply', { status: 'in_progress', output: [] }, 'broken'],
    ['a reply that does not say how it ended', { output: [] }, 'broken'],
    ['no reply at all', 'hello', 'broken'],
  ]

  test.each(WHOLE)('%s', (_name, body, kind) => {
    expect(readResponsesReply(body, ORIGIN)).toMatchObject([{ kind: 'reply-failed', failure: { kind } }])
  })

  test('an unknown status is not repeated to the client', () => {
    const [failed] = readResponsesReply({ status: '<b>sk-proj-abc</b>', output: [] }, ORIGIN)
    expect(failed).toEqual({
      kind: 'reply-failed',
      failure: { kind: 'broken', message: 'The reply broke off: the provider left the reply unfinished.' },
    })
  })

  test.each(['{"type":', '[]', '"x"', 'null'])('an event that is not a JSON object: %s', (data) => {
    const events = read([{ type: 'response.created', response: {} }, data, { type: 'response.completed' }])
    expect(events).toMatchObject([
      { kind: 'reply-start' },
      { kind: 'reply-failed', failure: { kind: 'broken' } },
    ])
  })

  test('an error in nested and in flat spelling', () => {
    const nested = {
      type: 'error',
      error: { type: 'invalid_request_error', code: null, message: 'Too long' },
    }
    expect(read([nested])).toMatchObject([{ failure: { kind: 'refused', message: 'Too long' } }])
    const flat = { type: 'error', code: 'rate_limit_exceeded', message: 'Slow', param: null }
    expect(read([flat])).toMatchObject([{ failure: { kind: 'busy', message: 'Slow' } }])
  })

  test('a call without a name', () => {
    const item = { type: 'function_call', id: 'fc', call_id: 'c', arguments: '{}' }
    const events = read([{ type: 'response.output_item.done', output_index: 0, item }, COMPLETED])
    expect(events.at(-1)).toMatchObject({ kind: 'reply-failed', failure: { kind: 'broken' } })
  })
})

const COMPLETED = { type: 'response.completed', response: { status: 'completed', output: [] } }

/** A frame that is a text is used as data unchanged. */
function read(frames: readonly (object | string)[]): ReplyEvent[] {
  const events: ReplyEvent[] = []
  const reader = readResponsesStream(ORIGIN, (event) => events.push(event))
  for (const frame of frames) {
    reader.frame(undefined, typeof frame === 'string' ? frame : JSON.stringify(frame))
  }
  reader.close()
  return events
}

test.each([
  ['completed', 'reply-failed'],
  ['incomplete', 'reply-end'],
])('an incomplete call in a reply that is %s', (status, kind) => {
  const call = { type: 'function_call', call_id: 'c', name: 'run', arguments: '{"command":"rm' }
  const passed: ReplyEvent[] = []
  readResponsesReply({ status, output: [call] }, ORIGIN).forEach(createGuard((event) => passed.push(event)))
  expect(passed.at(-1)).toMatchObject({ kind })
})

test('the usage of a failed reply is known', () => {
  const reader = readResponsesStream(ORIGIN, () => {})
  const usage = { input_tokens: 10, output_tokens: 5_000 }
  const response = { status: 'failed', error: { code: 'server_error', message: 'Oh.' }, usage }
  expect(reader.tokens).toBeUndefined()
  reader.frame(undefined, JSON.stringify({ type: 'response.failed', response }))
  expect(reader.tokens).toMatchObject({ input: 10, output: 5_000 })
})
