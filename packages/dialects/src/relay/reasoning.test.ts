import { describe, expect, test } from 'vitest'
import { createStreamRelay } from './relay-stream.ts'

const frame = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

function reasoningOf(dialect: 'messages' | 'responses', ...events: { type: string }[]) {
  const relay = createStreamRelay({ dialect, model: 'a/b', maxFrameBytes: 100_000 })
  for (const event of events) relay.push(Buffer.from(frame(event)))
  expect(relay.state).toBe('flowing')
  return relay.reasoning
}

const PROOF = 'cHJvb2Y='.repeat(100)

describe('messages', () => {
  const start = { type: 'message_start', message: { model: 'x', usage: { input_tokens: 3 } } }
  const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block })
  const delta = (value: object) => ({ type: 'content_block_delta', index: 0, delta: value })
  const TEXT = { type: 'text', text: '' }
  const signature = delta({ type: 'signature_delta', signature: PROOF })

  test.each([
    ['text alone', [block({ type: 'text', text: '' }), delta({ type: 'text_delta', text: 'Hi' })], undefined],
    ['a thought that has begun', [block({ type: 'thinking', thinking: '' })], 0],
    ['a proof', [block({ type: 'thinking', thinking: '' }), signature], 800],
    [
      'a proof after words',
      [
        ...[block({ type: 'thinking', thinking: '' }), delta({ type: 'thinking_delta', thinking: 'Hm' })],
        ...[signature, delta({ type: 'text_delta', text: 'Hi' })],
      ],
      800,
    ],
    ['a thought that is not shown', [block({ type: 'redacted_thinking', data: PROOF })], 800],
    ['a thought that quotes text', [block({ type: 'thinking', of: block(TEXT) })], 0],
    ['a thought beside text', [{ ...block({ type: 'thinking' }), next: { content_block: TEXT } }], 0],
    ['text, then a thought', [block(TEXT), block({ type: 'thinking', thinking: '' })], 0],
  ])('%s', (_name, events, proofCharacters) => {
    const expected = proofCharacters === undefined ? undefined : { proofCharacters }
    expect(reasoningOf('messages', start, ...events)).toEqual(expected)
  })
})

describe('responses', () => {
  const created = { type: 'response.created', sequence_number: 0, response: { id: 'r', model: 'x' } }
  const added = (item: object) => ({ type: 'response.output_item.added', output_index: 0, item })
  const done = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item })
  const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
  const proven = { ...thought, encrypted_content: PROOF }

  test.each([
    ['text alone', [added({ type: 'message', content: [] }), done({ type: 'message' })], undefined],
    ['a thought that has begun', [added(thought)], 0],
    ['a proof counts once', [added({ ...thought, encrypted_content: 'short' }), done(proven)], 800],
    [
      'two proofs',
      [added(thought), done(proven), added({ type: 'message' }), added(thought), done(proven)],
      1_600,
    ],
  ])('%s', (_name, events, proofCharacters) => {
    const expected = proofCharacters === undefined ? undefined : { proofCharacters }
    expect(reasoningOf('responses', created, ...events)).toEqual(expected)
  })
})
