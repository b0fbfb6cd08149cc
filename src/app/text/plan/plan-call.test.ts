import type { Dialect, TextEndpoint } from '@sluice/dialects/dialect-facts'
import { describe, expect, test } from 'vitest'
import { BODY_SHAPES } from '../../../../test/api/text/body-shapes.ts'
import { CALLER } from '../../../../test/caller.ts'
import { planAtOnce } from '../../../../test/vendor-call/plan-at-once.ts'
import { JOBS_HERE, replyJobsHere } from '../../../../test/vendor-call/reply-jobs-here.ts'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { asApiError } from '../../../domain/api-error.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { HeavyBody } from '../contract/heavy-body.ts'
import { heavyRunner } from '../contract/heavy-runner.ts'
import { LightBody } from '../contract/light-body.ts'
import type { TextBody } from '../contract/text-body.ts'
import type { TextCommand } from '../contract/text-command.ts'
import type { TextPlan } from '../contract/text-plan.ts'
import { planCall } from './plan-call.ts'

const NAME = 'vendorC/model-4.1'
const SIZE_BYTES = 16 * 1024

const plan = planCall({
  clock: { nowMs: () => 1_800_000_000_999, monotonicMs: () => 0 },
  newId: (prefix) => `${prefix}_1`,
  vendorIds: { keep() {} },
  recentItems: { keep() {}, find: async () => new Map() },
  summaries: { encrypt: (_organizationId, summary) => summary, decrypt: () => undefined },
  rates: { reasons: () => false },
  runReply: replyJobsHere().run,
})

function routeOf(dialect: Dialect, endpoint: TextEndpoint) {
  const upstream = { dialect, upstream: 'up', countsTokens: false, reasons: true }
  const provider = { name: 'vendorC', hides: [], findModel: () => upstream, send: () => ({ stop() {} }) }
  const model = builtInModels(0).find((one) => one.name === NAME)
  return routeTo(provider, { model, endpoint })
}

function commandWith(endpoint: TextEndpoint, body: TextBody): TextCommand {
  const common = { endpoint, caller: CALLER, version: undefined, betas: undefined }
  return { ...common, isStrict: false, requestId: 'req_1', idempotencyKey: undefined, body }
}

async function heavyBody(bytes: Buffer, endpoint: TextEndpoint): Promise<TextBody> {
  const run = heavyRunner(
    {
      async run(name, given, args) {
        const job: (bytes: Buffer, args: never) => unknown = JOBS_HERE[name]
        const result = structuredClone(job(given, structuredClone(args) as never))
        return { bytes: given, result } as never
      },
    },
    { bytes, organizationId: 'org_1', closed: new AbortController().signal },
  )
  const facts = await run('read', { endpoint, operation: 'create', allowedRanges: [] })
  return new HeavyBody({ endpoint, facts, run })
}

/** Result of a plan: the sent body, and the client's reply. */
async function outcomeOf(made: () => TextPlan | Promise<TextPlan>, dialect: Dialect) {
  try {
    const { body, losses, readWhole, openRelay, countInput } = await made()
    const reply = await readWhole(Buffer.from(JSON.stringify(REPLIES[dialect])))
    const relay = openRelay()
    return {
      body: Buffer.from(body).toString(),
      losses: [...new Set(losses)],
      reply: reply.kind === 'reply' ? Buffer.from(reply.body).toString() : reply,
      end: String(relay.close()),
      tokens: countInput(),
    }
  } catch (error) {
    const apiError = asApiError(error)
    if (apiError !== undefined) return { status: apiError.status, message: apiError.message }
    throw error
  }
}

const REPLIES: Record<Dialect, object> = {
  chat: { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] },
  messages: {
    ...{ id: 'msg_9', type: 'message', role: 'assistant', model: 'up', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Hi' }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  responses: {
    ...{ id: 'resp_9', object: 'response', status: 'completed', model: 'up' },
    output: [
      { type: 'message', id: 'msg_9', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    ],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
}

const SOUND = BODY_SHAPES.filter(({ status, endpoint }) => status.few === 200 && endpoint !== 'count')

describe('a heavy body is planned like a light one', () => {
  test.each(SOUND.map((shape) => [`${shape.name}, ${shape.endpoint} to ${shape.vendor}`, shape] as const))(
    '%s',
    async (_name, shape) => {
      const endpoint = shape.endpoint === 'responses' ? 'responses' : 'messages'
      const bytes = shape.make(SIZE_BYTES)
      const route = routeOf(shape.vendor, endpoint)
      const light = commandWith(endpoint, new LightBody(endpoint, bytes, JSON.parse(bytes.toString())))
      const heavy = commandWith(endpoint, await heavyBody(Buffer.from(bytes), endpoint))
      const expected = await outcomeOf(() => planAtOnce(plan(light, route)), shape.vendor)
      const later = plan(heavy, route)
      if (later instanceof Promise || !('make' in later)) throw new Error('a heavy one is planned later')
      expect(await outcomeOf(() => later.make(), shape.vendor)).toEqual(expected)
    },
  )
})
