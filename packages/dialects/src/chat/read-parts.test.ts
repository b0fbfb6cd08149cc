import { describe, expect, test } from 'vitest'
import { eventsOf, ORIGIN, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import type { LossName } from '../canonical/losses.ts'
import type { ReplyEvent } from '../canonical/reply-event.ts'
import { readChatReply } from './read-stream.ts'

const THINKING = { type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }] }
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
const REASONING = { head: { kind: 'reasoning' }, text: 'hmm' }
const TEXT = { head: { kind: 'text' }, text: 'ok' }
const REFUSAL = { head: { kind: 'refusal' }, text: 'No!' }
const OF_TEXT = { type: 'text', text: 'm' }
const OK = { type: 'text', text: 'ok' }

const CASES: [what: string, message: object, blocks: object[], losses: LossName[] | undefined][] = [
  ['thinking, then text', { content: [THINKING, OK] }, [REASONING, TEXT], undefined],
  [
    'thinking as one text',
    { content: [{ type: 'thinking', thinking: 'hmm' }, OK] },
    [REASONING, TEXT],
    undefined,
  ],
  ['empty thinking', { content: [{ type: 'thinking', thinking: [] }, OK] }, [TEXT], undefined],
  [
    'thinking that points to something',
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }, { type: 'reference' }] }] },
    [REASONING],
    ['unknown_block'],
  ],
  ['a refusal', { content: [{ type: 'refusal', refusal: 'No!' }] }, [REFUSAL], undefined],
  ['a refusal of its own', { content: null, refusal: 'No!' }, [REFUSAL], undefined],
  ['text of no type', { content: [{ text: 'ok' }] }, [TEXT], undefined],
  ['text with its sources', { content: [{ ...OK, annotations: [{ url: 'u' }] }] }, [TEXT], ['citations']],
  ['an image among its parts', { content: [OK, IMAGE] }, [TEXT], ['unknown_block']],
  ['an image beside its text', { content: 'ok', images: [IMAGE] }, [TEXT], ['unknown_block']],
  ['audio beside its text', { content: 'ok', audio: { id: 'a', data: 'AA' } }, [TEXT], ['unknown_block']],
  [
    'empty members beside its text',
    { content: 'ok', images: [], audio: null, reasoning_details: [] },
    [TEXT],
    undefined,
  ],
  [
    'details of its reasoning beside it',
    { reasoning: 'hmm', reasoning_details: [{ type: 'reasoning.text', text: 'hmm' }], content: 'ok' },
    [REASONING, TEXT],
    undefined,
  ],
  [
    'details of its reasoning alone',
    {
      reasoning_details: [
        { type: 'reasoning.summary', summary: 'h' },
        { type: 'reasoning.text', text: 'mm' },
      ],
      content: 'ok',
    },
    [REASONING, TEXT],
    undefined,
  ],
  [
    'details of an unknown kind',
    { reasoning_details: [{ type: 'reasoning', text: 'h' }, { text: 'm' }, OF_TEXT], content: 'ok' },
    [REASONING, TEXT],
    undefined,
  ],
  [
    'a signature of its reasoning, and no words',
    { reasoning_details: [{ type: 'reasoning.text', signature: 'x' }], content: [{ ...OK, text: null }, OK] },
    [TEXT],
    undefined,
  ],
  [
    'hidden reasoning',
    { reasoning: null, reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }], content: 'ok' },
    [TEXT],
    ['unknown_block'],
  ],
]

describe.each(CASES)('a reply that has %s', (_what, message, blocks, losses) => {
  const expectRead = (events: ReplyEvent[]) => {
    expect(foldBlocks(events)).toEqual(blocks)
    expect(events.at(-1)).toEqual({ kind: 'reply-end', reason: { kind: 'done' }, tokens: undefined, losses })
  }

  test('is read whole', () => {
    const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }]
    expectRead(readChatReply({ choices }, ORIGIN))
  })

  test('is read as a stream', () => {
    expectRead(eventsOf([sseOf([chunkOf(message), chunkOf({}, 'stop'), '[DONE]'])]))
  })
})

test('thinking in pieces is one block of reasoning', () => {
  const piece = (text: string) =>
    chunkOf({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] })
  const chunks = [piece('h'), piece('mm'), chunkOf({ content: 'o' }), chunkOf({ content: 'k' }, 'stop')]
  expect(foldBlocks(eventsOf([sseOf(chunks)]))).toEqual([REASONING, TEXT])
})
