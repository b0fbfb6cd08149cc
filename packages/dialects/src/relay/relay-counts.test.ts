import { describe, expect, test } from 'vitest'
import { createStreamRelay } from './relay-stream.ts'

type Sent = string | Record<string, unknown>

/** After each event: `complete`, `so far` while the count covers all output that passed, or `no`. */
function countsOf(dialect: 'messages' | 'responses' | 'chat', events: readonly Sent[]) {
  const relay = createStreamRelay({ dialect, model: 'a/b', maxFrameBytes: 100_000 })
  return events.map((event) => {
    const name = typeof event === 'object' && dialect !== 'chat' ? `event: ${event.type}\n` : ''
    relay.push(Buffer.from(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`))
    if (relay.isCounted) return 'complete'
    return relay.isAllCounted ? 'so far' : 'no'
  })
}

describe('messages', () => {
  const start = {
    type: 'message_start',
    message: { model: 'x', usage: { input_tokens: 9, output_tokens: 1 } },
  }
  const words = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } }
  const end = (stop_reason: string | null, usage?: object) => ({
    ...{ type: 'message_delta', delta: { stop_reason, stop_sequence: null } },
    ...(usage === undefined ? {} : { usage }),
  })

  test.each<[string, Sent[], string[]]>([
    ['the usage of the start is not complete', [start, words], ['no', 'no']],
    [
      'the count with the reason is complete',
      [start, words, end('end_turn', { output_tokens: 5 })],
      ['no', 'no', 'complete'],
    ],
    [
      'a count in the middle covers what came before it',
      [start, words, end(null, { output_tokens: 2 }), words, end('end_turn', { output_tokens: 5 })],
      ['no', 'no', 'so far', 'no', 'complete'],
    ],
    ['a stop reason without usage is not complete', [start, words, end('end_turn')], ['no', 'no', 'no']],
  ])('%s', (_name, events, counts) => {
    expect(countsOf('messages', events)).toEqual(counts)
  })
})

describe('chat', () => {
  const chunk = (content: string, more: object = {}, finish_reason: string | null = null) => ({
    ...{ id: 'c', model: 'x', choices: [{ index: 0, delta: { content }, finish_reason }] },
    ...more,
  })
  const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 9, completion_tokens } })
  const last = { id: 'c', model: 'x', choices: [], ...usage(5) }

  test.each<[string, Sent[], string[]]>([
    [
      'the count after the reason is complete',
      [chunk('Hello.'), chunk('', {}, 'stop'), last],
      ['no', 'no', 'complete'],
    ],
    [
      'a vendor that counts in every chunk',
      [chunk('a', usage(1)), chunk('b', usage(2)), chunk('', usage(3), 'stop')],
      ['so far', 'so far', 'complete'],
    ],
    [
      'chunks that are alike after a count',
      [chunk('a'), chunk('b', usage(2)), chunk('c'), chunk('d')],
      ['no', 'so far', 'no', 'no'],
    ],
    ['a reason without a count', [chunk('Hello.'), chunk('', {}, 'stop')], ['no', 'no']],
  ])('%s', (_name, events, counts) => {
    expect(countsOf('chat', events)).toEqual(counts)
  })
})

test('responses are counted by their last event only', () => {
  const events = [
    { type: 'response.created', response: { id: 'r', status: 'in_progress', usage: null } },
    { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello.' },
  ]
  expect(countsOf('responses', events)).toEqual(['no', 'no'])
})
