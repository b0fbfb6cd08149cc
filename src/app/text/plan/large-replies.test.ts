import { TEXT_ENDPOINTS, type TextEndpoint } from '@sluice/dialects/dialect-facts'
import { LIGHT_VALUES_MAX } from '@sluice/dialects/json/parse-json'
import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { planAtOnce } from '../../../../test/vendor-call/plan-at-once.ts'
import { replyJobsHere } from '../../../../test/vendor-call/reply-jobs-here.ts'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { LightBody } from '../contract/light-body.ts'
import { LIGHT_REPLY_BYTES_MAX } from '../contract/relay.ts'
import type { TextCommand } from '../contract/text-command.ts'
import { planCall } from './plan-call.ts'

const NAME = 'vendorC/model-4.1'
const REQUESTS: Record<TextEndpoint, object> = {
  chat: { model: NAME, messages: [{ role: 'user', content: 'Hi' }] },
  messages: { model: NAME, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: NAME, input: 'Hi' },
}
const replyOf: Record<TextEndpoint, (text: string) => object> = {
  chat: (text) => ({
    model: 'up',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  }),
  messages: (text) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'up', stop_reason: 'end_turn' },
    content: [{ type: 'text', text }],
    usage: { input_tokens: 7, output_tokens: 3 },
  }),
  responses: (text) => ({
    ...{ id: 'resp_1', object: 'response', model: 'up', status: 'completed' },
    output: [{ id: 'msg_1', type: 'message', content: [{ type: 'output_text', text }] }],
    usage: { input_tokens: 7, output_tokens: 3 },
  }),
}

function planFor(endpoint: TextEndpoint, dialect: TextEndpoint, more: Partial<TextCommand> = {}) {
  const jobs = replyJobsHere()
  const upstream = { dialect, upstream: 'up', countsTokens: false, reasons: true }
  const provider = { name: 'vendorC', hides: [], findModel: () => upstream, send: () => ({ stop() {} }) }
  const model = builtInModels(0).find((one) => one.name === NAME)
  const value = JSON.parse(JSON.stringify(REQUESTS[endpoint]))
  const made = planCall({
    clock: { nowMs: () => 1_800_000_000_999, monotonicMs: () => 0 },
    newId: (prefix) => `${prefix}_0000000001`,
    vendorIds: { keep() {} },
    recentItems: { keep() {}, find: async () => new Map() },
    summaries: { encrypt: (_organizationId, summary) => summary, decrypt: () => undefined },
    rates: { reasons: () => false },
    runReply: jobs.run,
  })(
    {
      ...{ endpoint, caller: CALLER, version: undefined, betas: undefined, isStrict: false },
      ...{ requestId: 'req_1', idempotencyKey: undefined, ...more },
      body: new LightBody(endpoint, Buffer.from(JSON.stringify(value)), value),
    },
    routeTo(provider, { model, endpoint }),
  )
  return { plan: planAtOnce(made), jobs: jobs.names }
}

const bytesOf = (value: object) => Buffer.from(JSON.stringify(value))
const LIGHT = 'word '.repeat(4)
const LARGE = 'word '.repeat(LIGHT_REPLY_BYTES_MAX / 5)

const WAYS = TEXT_ENDPOINTS.flatMap((endpoint) =>
  TEXT_ENDPOINTS.map((dialect) => [endpoint, dialect] as const),
)

test.each(WAYS)(
  'a large reply for %s from %s is read on another thread, with the same result as here',
  async (endpoint, dialect) => {
    const { plan, jobs } = planFor(endpoint, dialect)
    const light = await plan.readWhole(bytesOf(replyOf[dialect](LIGHT)))
    expect(jobs).toEqual([])
    const large = await plan.readWhole(bytesOf(replyOf[dialect](LARGE)))
    expect(jobs).toEqual([endpoint === dialect ? 'passReply' : 'convertReply'])
    if (light.kind !== 'reply' || large.kind !== 'reply') return expect.fail('no reply')
    const read = (body: string | Uint8Array) => Buffer.from(body).toString()
    expect(read(large.body).replaceAll(LARGE, LIGHT)).toBe(read(light.body))
    expect(large.tokens).toEqual(light.tokens)
  },
)

test.each(WAYS)(
  'a short reply of many values for %s from %s is read on another thread too',
  async (endpoint, dialect) => {
    const { plan, jobs } = planFor(endpoint, dialect)
    const many = { ...replyOf[dialect](LIGHT), more: Array(LIGHT_VALUES_MAX).fill(1) }
    const reply = await plan.readWhole(bytesOf(many))
    expect(reply.kind).toBe('reply')
    expect(jobs).toEqual([endpoint === dialect ? 'passReply' : 'convertReply'])
  },
)

test('a large summary is read on another thread, and refused as too long', async () => {
  const { plan, jobs } = planFor('responses', 'chat', { operation: 'compact' })
  const reply = await plan.readWhole(bytesOf(replyOf.chat(LARGE + LARGE)))
  expect(jobs).toEqual(['convertReply', 'summaryIn'])
  expect(reply).toMatchObject({ kind: 'reply', unusable: { code: 'summary_not_usable' } })
})
