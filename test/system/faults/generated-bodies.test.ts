import { afterAll, beforeAll, test } from 'vitest'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { type Answer, expectEnvelope, readAnswer } from '../../api/http-edge/answer.ts'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'
import type { Tenant } from '../../api/video/tenants.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { fc } from '../../random/properties.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { arbitraryOf } from '../../schemas/arbitrary-of.ts'
import { mutate, mutation } from '../../schemas/mutate.ts'

const BODIES = roundsOf({ slice: 1_000, whole: 100_000 })
const LANES = 6
const ADMIN_KEY = 'an-admin-key-of-the-tests'
/** Mostly offered models: an unknown one ends a request early. */
const MODELS = [
  'vendorA/gen-2.0',
  'vendorB/gen-v4-std',
  'vendorC/model-4.1',
  'vendorC/model-o3',
  'vendorD/text-large',
]

const TAKING = OPERATIONS.filter(({ body }) => body !== undefined)
/** Changes of operators affect responses to clients, so they come last. */
const IN_ORDER = [
  ...TAKING.filter(({ area }) => area !== 'admin'),
  ...TAKING.filter(({ area }) => area === 'admin'),
]
const EACH = Math.ceil(BODIES / IN_ORDER.length)

let api: TextApi
/** Tenant whose organization the operators change. */
let other: Tenant
beforeAll(async () => {
  const environment = { ADMIN_API_KEY: ADMIN_KEY, VIDEO_WEBHOOK_BASE_URL: 'https://gateway.example' }
  api = await startTextApi({ environment, sandboxSpeed: 10_000 })
  other = await api.openTenant()
})
afterAll(() => api.close())

test(`${BODIES} generated bodies on ${IN_ORDER.length} routes: no failure of ours, and no answer outside the envelope`, {
  timeout: 1_800_000,
}, async () => {
  const statuses: Record<string, number> = {}
  for (const operation of IN_ORDER) {
    const bodies = fc.sample(bodiesOf(operation), { numRuns: EACH, seed: seedOfRun() })
    const runLane = async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const answer = await send(operation, body)
        expectManners(operation, body, answer)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: LANES }, runLane))
  }
  reportFigure(`${EACH} bodies on each of ${IN_ORDER.length} routes, by status: ${JSON.stringify(statuses)}`)
  await api.expectSound()
})

/** Bodies that the schema allows, some of them changed in up to three places, and some of these damaged as bytes. */
function bodiesOf({ body }: Operation): fc.Arbitrary<Buffer> {
  const shaped = fc
    .tuple(
      arbitraryOf(body?.schema ?? {}),
      fc.option(fc.constantFrom(...MODELS), { freq: 4 }),
      fc.array(mutation, { maxLength: 3 }),
    )
    .map(([value, model, mutations]) => {
      const named = model !== null && isNamed(value) ? { ...value, model } : value
      return mutations.reduce<unknown>((changed, one) => mutate(changed, one), named)
    })
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    act: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'flip', 'insert'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
  })
  return fc
    .tuple(shaped, damage)
    .map(([value, change]) => damaged(Buffer.from(JSON.stringify(value) ?? ''), change))
}

function isNamed(value: unknown): value is { model: unknown } {
  return typeof value === 'object' && value !== null && 'model' in value
}

function damaged(body: Buffer, { at, act, bytes }: { at: number; act: string; bytes: Uint8Array }): Buffer {
  const place = Math.floor(at * body.length)
  if (act === 'cut') return body.subarray(0, place)
  if (act === 'insert') return Buffer.concat([body.subarray(0, place), bytes, body.subarray(place)])
  if (act === 'flip')
    return Buffer.concat([body.subarray(0, place), bytes, body.subarray(place + bytes.length)])
  return body
}

async function send({ method, path, access }: Operation, body: Buffer): Promise<Answer> {
  const [, , , kind = ''] = path.split('/')
  const ids: Record<string, string> = {
    organizations: other.organizationId,
    users: other.userId,
    keys: other.keyId,
  }
  const answer = await fetch(`${api.url}${path.replace(':id', ids[kind] ?? 'none')}`, {
    method,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'anthropic-version': '2023-06-01',
      ...(access === 'admin' ? { 'x-admin-key': ADMIN_KEY } : { authorization: `Bearer ${api.tenant.key}` }),
    },
    body: new Uint8Array(body),
  })
  return readAnswer(answer)
}

function expectManners({ id, area }: Operation, body: Buffer, answer: Answer): void {
  const scenario = () => `${id} ${body.toString('latin1').slice(0, 2_000)}: ${answer.status} ${answer.body}`
  if (answer.status >= 500) throw new Error(scenario())
  // An error of MCP has the form of JSON-RPC.
  if (answer.status < 400 || id === 'mcp') return
  try {
    expectEnvelope(answer, area)
  } catch (cause) {
    throw new Error(scenario(), { cause })
  }
}
