import type { Dialect, TextEndpoint } from '@sluice/dialects/dialect-facts'
import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { planAtOnce } from '../../../../test/vendor-call/plan-at-once.ts'
import { replyJobsHere } from '../../../../test/vendor-call/reply-jobs-here.ts'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { LightBody } from '../contract/light-body.ts'
import { planConversion } from './plan-conversion.ts'

function planFor(value: Record<string, unknown>, dialect: Dialect, endpoint: TextEndpoint = 'messages') {
  const name = 'vendorC/model-4.1'
  const provider = {
    name: 'vendorC',
    hides: [],
    findModel: () => ({ dialect, upstream: 'up', countsTokens: false, reasons: true }),
    send: () => ({ stop() {} }),
  }
  const model = builtInModels(0).find((one) => one.name === name)
  const body = { model: name, max_tokens: 64, messages: [{ role: 'user', content: 'Hi' }], ...value }
  const command = {
    endpoint,
    caller: CALLER,
    body: new LightBody(endpoint, Buffer.from(JSON.stringify(body)), body),
    version: undefined,
    betas: undefined,
    isStrict: false,
    requestId: 'req_1',
    idempotencyKey: undefined,
  }
  const made = planConversion(command, routeTo(provider, { model, endpoint }), {
    clock: { nowMs: () => 1_800_000_000_999, monotonicMs: () => 0 },
    newId: (prefix) => `${prefix}_1`,
    recentItems: { keep() {}, find: async () => new Map() },
    rates: { reasons: () => false },
    runReply: replyJobsHere().run,
  })
  const plan = planAtOnce(made)
  return { ...plan, sent: JSON.parse(String(plan.body)) }
}

function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

const STOPS = ['one', 'two', 'three', 'four', 'five']

function chatReply(content: string, more: object = {}): Buffer {
  return bytesOf({ choices: [{ index: 0, message: { content }, finish_reason: 'stop', ...more }] })
}

test('in a whole reply, the gateway applies the stop sequences that the vendor does not take', async () => {
  const plan = planFor({ stop_sequences: STOPS }, 'chat')
  expect(plan.sent.stop).toEqual(STOPS.slice(0, 4))
  expect(plan.losses).toEqual([])
  const reply = await plan.readWhole(chatReply('up to five and on'))
  expect(reply.kind === 'reply' && JSON.parse(String(reply.body))).toMatchObject({
    content: [{ type: 'text', text: 'up to ' }],
    stop_reason: 'stop_sequence',
    stop_sequence: 'five',
  })
})

test('in a stream, a stop sequence that the vendor does not take stops the vendor', () => {
  const relay = planFor({ stop_sequences: STOPS, stream: true }, 'chat').openRelay()
  const chunk = { choices: [{ index: 0, delta: { content: 'up to five and on' }, finish_reason: null }] }
  const written = String(relay.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)))
  expect(written).toContain('"stop_sequence":"five"')
  expect(written).not.toContain('and on')
  expect([relay.state, relay.endedEarly]).toEqual(['ended', true])
})

test('a responses vendor gets no stop sequence', async () => {
  const plan = planFor({ stop_sequences: ['five'] }, 'responses')
  const message = { type: 'message', content: [{ type: 'output_text', text: 'up to five' }] }
  const reply = await plan.readWhole(bytesOf({ status: 'completed', output: [message] }))
  expect(reply.kind === 'reply' && JSON.parse(String(reply.body))).toMatchObject({ stop_sequence: 'five' })
})

test('content of a reply other than text is declared lost', async () => {
  const logprobs = { content: [{ token: 'Hi', logprob: -1 }] }
  const reply = await planFor({}, 'chat').readWhole(chatReply('Hi', { logprobs }))
  expect(reply.kind === 'reply' && [...reply.losses]).toEqual(['logprobs'])
})

test('a reply has its times of creation and completion', async () => {
  const reply = await planFor({ input: 'Hi' }, 'chat', 'responses').readWhole(chatReply('Hi'))
  expect(reply.kind === 'reply' && JSON.parse(String(reply.body))).toMatchObject({
    created_at: 1_800_000_000,
    completed_at: 1_800_000_000,
  })
})
