import { describe, expect, test } from 'vitest'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { ORIGIN } from '../../../../test/fixtures/text/responses/fixture.ts'
import { call, reasoning, text } from '../../../../test/fixtures/text/responses/folded.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readResponsesReply, readResponsesStream } from './read-stream.ts'

const COMPLETED = { type: 'response.completed', response: { status: 'completed', output: [] } }

describe('unusual streams of vendors are read', () => {
  const delta = (index: number, piece: string, more: object = {}) => ({
    type: 'response.output_text.delta',
    output_index: index,
    content_index: 0,
    delta: piece,
    ...more,
  })
  const added = (index: number | undefined, item: object) => ({
    type: 'response.output_item.added',
    output_index: index,
    item,
  })
  const done = (index: number | undefined, item: object) => ({
    type: 'response.output_item.done',
    output_index: index,
    item,
  })
  const message = (...texts: string[]) => ({
    type: 'message',
    content: texts.map((one) => ({ type: 'output_text', text: one })),
  })

  test('content that no event announced', () => {
    const events = read([delta(0, 'Hel'), delta(0, 'lo'), COMPLETED])
    expect(foldBlocks(events)).toEqual([text('Hello')])
    expect(events.map(({ kind }) => kind)).toEqual([
      'reply-start',
      'block-start',
      'block-delta',
      'block-delta',
      'block-end',
      'reply-end',
    ])
  })

  test('no indexes, only ids', () => {
    const events = read([
      added(undefined, { type: 'message', id: 'm1' }),
      { type: 'response.output_text.delta', item_id: 'm1', delta: 'One' },
      added(undefined, { type: 'function_call', id: 'f1', call_id: 'c1', name: 'go' }),
      { type: 'response.function_call_arguments.delta', item_id: 'f1', delta: '{}' },
      { type: 'response.output_text.delta', item_id: 'm1', delta: '!' },
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([text('One!'), call('c1', 'go', '{}')])
  })

  test('an item that begins late keeps its place', () => {
    const events = read([
      added(1, { type: 'message' }),
      delta(1, 'Second'),
      added(0, { type: 'message' }),
      delta(0, 'First'),
      done(1, message('Second')),
      done(0, message('First')),
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([text('First'), text('Second')])
  })

  test('an item behind unused indexes is emitted when it is finished', () => {
    const events = read([added(3, { type: 'message' }), delta(3, 'Hi'), done(3, message('Hi'))], {
      isOpen: true,
    })
    expect(foldBlocks(events)).toEqual([text('Hi')])
  })

  test('interleaved parts of a message', () => {
    const part = (index: number, piece: string) => delta(0, piece, { content_index: index })
    const events = read([
      added(0, { type: 'message' }),
      part(0, 'a'),
      part(1, 'x'),
      part(0, 'b'),
      part(1, 'y'),
      done(0, message('ab', 'xy')),
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([text('ab'), text('xy')])
  })

  test('the end of a text that no piece contained', () => {
    const events = read([
      added(0, { type: 'message' }),
      delta(0, 'Hel'),
      done(0, message('Hello')),
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([text('Hello')])
  })

  test('everything in the last event', () => {
    const response = {
      status: 'completed',
      output: [message('Hi'), { type: 'function_call', call_id: 'c', name: 'go', arguments: '{}' }],
    }
    const events = read([{ type: 'response.completed', response }])
    expect(foldBlocks(events)).toEqual([text('Hi'), call('c', 'go', '{}')])
  })

  test('the last event repeats streamed items under other ids', () => {
    const response = { status: 'completed', output: [{ ...message('Hi'), id: 'other' }] }
    const events = read([
      added(0, { type: 'message', id: 'm' }),
      delta(0, 'Hi'),
      done(0, { ...message('Hi'), id: 'm' }),
      { type: 'response.completed', response },
    ])
    expect(foldBlocks(events)).toEqual([text('Hi')])
  })

  test('all items under one index', () => {
    const events = read([
      added(0, { type: 'reasoning', id: 'r' }),
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Hm' },
      done(0, { type: 'reasoning', id: 'r', content: [{ type: 'reasoning_text', text: 'Hm' }] }),
      added(0, { type: 'message', id: 'm' }),
      delta(0, 'Hi'),
      done(0, { ...message('Hi'), id: 'm' }),
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([reasoning('Hm'), text('Hi')])
  })

  test('a call whose name comes at its end', () => {
    const events = read([
      added(0, { type: 'function_call', id: 'f' }),
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':1}' },
      done(0, { type: 'function_call', id: 'f', call_id: 'c', name: 'go', arguments: '{"a":1}' }),
      COMPLETED,
    ])
    expect(foldBlocks(events)).toEqual([call('c', 'go', '{"a":1}')])
  })

  test('reasoning without text and proof leaves no trace', () => {
    const events = read([
      added(0, { type: 'reasoning', id: 'r', summary: [] }),
      done(0, { type: 'reasoning', id: 'r', summary: [] }),
      COMPLETED,
    ])
    expect(events.map(({ kind }) => kind)).toEqual(['reply-start', 'reply-end'])
  })

  test('a tool gets back the name its client knows', () => {
    const toolNames = new Map([
      ['short', { name: 'very.long', namespace: undefined, input: 'json' as const }],
    ])
    const item = { type: 'function_call', call_id: 'c', name: 'short', arguments: '{}' }
    const events = readResponsesReply({ status: 'completed', output: [item] }, { provider: 'p', toolNames })
    expect(foldBlocks(events)).toEqual([call('c', 'very.long', '{}')])
  })

  test('citations and probabilities of a text are declared lost', () => {
    const annotations = [{ type: 'url_citation', url: 'https://a.example' }]
    const part = { type: 'output_text', text: 'Hi', annotations, logprobs: [{ token: 'Hi' }] }
    const item = { type: 'message', content: [part] }
    const whole = readResponsesReply({ status: 'completed', output: [item] }, ORIGIN)
    expect(whole.at(-1)).toMatchObject({ losses: ['citations', 'logprobs'] })
    expect(read([done(0, item), COMPLETED]).at(-1)).toMatchObject({ losses: ['citations', 'logprobs'] })
    const annotated = { type: 'response.output_text.annotation.added', annotation: annotations[0] }
    expect(read([delta(0, 'Hi'), annotated, COMPLETED]).at(-1)).toMatchObject({ losses: ['citations'] })
    expect(read([delta(0, 'Hi'), COMPLETED]).at(-1)).not.toHaveProperty('losses')
  })

  test('events without a type take the name of their line', () => {
    const events: ReplyEvent[] = []
    const reader = readResponsesStream(ORIGIN, (event) => events.push(event))
    reader.frame('response.output_text.delta', '{"output_index":0,"delta":"Hi"}')
    reader.frame('response.completed', '{"response":{"output":[]}}')
    expect(foldBlocks(events)).toEqual([text('Hi')])
  })
})

/** Reads a stream, which then closes. `isOpen`: it does not close. */
function read(frames: readonly object[], { isOpen = false } = {}): ReplyEvent[] {
  const events: ReplyEvent[] = []
  const reader = readResponsesStream(ORIGIN, (event) => events.push(event))
  for (const frame of frames) {
    reader.frame(undefined, JSON.stringify(frame))
  }
  if (!isOpen) reader.close()
  return events
}
