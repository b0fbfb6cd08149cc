import type { Dialect, TextEndpoint } from '@sluice/dialects/dialect-facts'
import { expect, test } from 'vitest'
import { CALLER } from '../../../../test/caller.ts'
import { planAtOnce } from '../../../../test/vendor-call/plan-at-once.ts'
import { replyJobsHere } from '../../../../test/vendor-call/reply-jobs-here.ts'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { LightBody } from '../contract/light-body.ts'
import { planCall } from './plan-call.ts'

const NAME = 'vendorC/model-4.1'
const MARK = { cache_control: { type: 'ephemeral' } }
const turn = (content: unknown) => [{ role: 'user', content }]

/** Prompt cache options of each client, in its dialect. */
const REQUESTS: Record<TextEndpoint, object> = {
  messages: {
    ...{ model: NAME, max_tokens: 10, system: [{ type: 'text', text: 'Be brief.', ...MARK }] },
    messages: turn([{ type: 'text', text: 'Hi', ...MARK }]),
  },
  responses: {
    ...{ model: NAME, instructions: 'Be brief.', prompt_cache_key: 'k1', input: 'Hi', store: false },
  },
  chat: {
    ...{ model: NAME, prompt_cache_key: 'k1' },
    messages: [{ role: 'system', content: 'Be brief.' }, ...turn([{ type: 'text', text: 'Hi', ...MARK }])],
  },
}

function planFor(endpoint: TextEndpoint, dialect: Dialect) {
  const upstream = { dialect, upstream: 'up', countsTokens: false, reasons: true }
  const provider = { name: 'vendorC', hides: [], findModel: () => upstream, send: () => ({ stop() {} }) }
  const model = builtInModels(0).find(({ name }) => name === NAME)
  const value = JSON.parse(JSON.stringify(REQUESTS[endpoint]))
  const made = planCall({
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    newId: (prefix) => `${prefix}_1`,
    vendorIds: { keep() {} },
    recentItems: { keep() {}, find: async () => new Map() },
    summaries: { encrypt: (_organizationId, summary) => summary, decrypt: () => undefined },
    rates: { reasons: () => false },
    runReply: replyJobsHere().run,
  })(
    {
      ...{ endpoint, caller: CALLER, version: undefined, betas: undefined, isStrict: false },
      ...{ requestId: 'req_1', idempotencyKey: undefined },
      body: new LightBody(endpoint, Buffer.from(JSON.stringify(value)), value),
    },
    routeTo(provider, { model, endpoint }),
  )
  const plan = planAtOnce(made)
  const sent = Buffer.from(plan.body).toString()
  return {
    key: JSON.parse(sent).prompt_cache_key,
    marks: sent.match(/"cache_control"/g)?.length ?? 0,
    losses: [...new Set(plan.losses)].filter((loss) => loss.startsWith('cache')),
  }
}

// Vendors of the messages dialect cache up to marks. Vendors of other dialects cache without marks, and by a key.
test.each<[TextEndpoint, Dialect, ReturnType<typeof planFor>]>([
  ['messages', 'messages', { key: undefined, marks: 2, losses: [] }],
  ['messages', 'responses', { key: undefined, marks: 0, losses: ['cache_control'] }],
  ['messages', 'chat', { key: undefined, marks: 0, losses: ['cache_control'] }],
  ['responses', 'responses', { key: 'k1', marks: 0, losses: [] }],
  ['responses', 'chat', { key: 'k1', marks: 0, losses: [] }],
  ['responses', 'messages', { key: undefined, marks: 1, losses: ['cache_key'] }],
  ['chat', 'chat', { key: 'k1', marks: 1, losses: [] }],
  ['chat', 'responses', { key: 'k1', marks: 0, losses: ['cache_control'] }],
  ['chat', 'messages', { key: undefined, marks: 1, losses: ['cache_key'] }],
])('cache options of a client of %s reach a vendor of %s', (endpoint, dialect, kept) => {
  expect(planFor(endpoint, dialect)).toEqual(kept)
})
