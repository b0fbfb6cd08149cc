import type { Dialect } from '@sluice/dialects/dialect-facts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HangUps, openHangUps } from './open-hang-ups.ts'
import { chunk, type Sent, sendEvents, TEXT } from './vendor-streams.ts'

let hangUps: HangUps
beforeAll(async () => {
  hangUps = await openHangUps()
})
afterAll(() => hangUps.close())

/** Proof of reasoning whose length alone would count as 2,000 tokens. */
const PROOF = 'cHJvb2Y='.repeat(1_500)
const block = (index: number, content_block: object): Sent => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, value: object): Sent => ({ type: 'content_block_delta', index, delta: value })
const stop = (index: number): Sent => ({ type: 'content_block_stop', index })

/** This stream and `THOUGHTFUL_CHAT` count 100 tokens in and 5 out, and do not end. */
const THOUGHTFUL_MESSAGE: Sent[] = [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm' },
      usage: { input_tokens: 100, output_tokens: 1 },
    },
  },
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'signature_delta', signature: PROOF }),
  stop(0),
  block(1, { type: 'text', text: '' }),
  delta(1, { type: 'text_delta', text: TEXT }),
  stop(1),
  {
    ...{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
    usage: { output_tokens: 5 },
  },
]
const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }
const THOUGHTFUL_CHAT: Sent[] = [
  chunk({ role: 'assistant', reasoning_content: 'Hm, hm.' }),
  chunk({ content: TEXT }),
  chunk({}, 'stop'),
  { ...chunk({}), choices: [], usage },
]
/** Stream whose first chunk has words and their usage, and which then goes on. */
const COUNTING_CHAT: Sent[] = [{ ...chunk({ role: 'assistant', content: TEXT }), usage }]

test.each<[what: string, endpoint: Dialect, vendor: Dialect, events: Sent[], costMicros: number]>([
  ['thoughts that are counted, passed on', 'messages', 'messages', THOUGHTFUL_MESSAGE, 125],
  ['thoughts that are counted, converted', 'chat', 'messages', THOUGHTFUL_MESSAGE, 125],
  ['thoughts that are counted, passed on', 'chat', 'chat', THOUGHTFUL_CHAT, 48],
  ['thoughts that are counted, converted', 'responses', 'chat', THOUGHTFUL_CHAT, 48],
  ['a count on the way, passed on', 'chat', 'chat', COUNTING_CHAT, 48],
  ['a count on the way, converted', 'messages', 'chat', COUNTING_CHAT, 48],
])('499 a client that leaves %s (%s from a %s vendor), pays by the count', async (...row) => {
  const [, endpoint, vendor, events, costMicros] = row
  const call = await hangUps.ask({ endpoint, vendor, stream: true })
  sendEvents(call.reply, vendor, events)
  await call.arrived()
  call.hangUp()
  await call.closed
  expect(call.reply.writableEnded).toBe(false)
  expect(await call.charged()).toMatchObject({
    outcome: 'hung-up',
    output_tokens: 5,
    cost_micros: costMicros,
  })
})
