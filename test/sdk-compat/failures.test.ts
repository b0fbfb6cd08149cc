import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyFor, type Case, casesOf } from './cells.ts'
import { FAILING, type FixtureVendor, startFixtureVendor } from './fixture-vendor.ts'
import { type JudgedGateway, startJudgedGateway } from './start-judged-gateway.ts'

/** Status that the client gets, by the fixture with the status of the vendor. */
const STATUSES: Readonly<Record<string, number>> = {
  'status-400': 400,
  'status-401': 503,
  'status-403': 503,
  'status-404': 503,
  'status-413': 413,
  'status-422': 400,
  'status-429': 429,
  'status-500': 503,
  'status-502': 503,
  'status-529': 529,
}
const NO_ANSWERS = ['hang-up', 'not-json', 'nothing']
const FEW = { perProvider: 4 }

const brokenStreams = casesOf(({ dialect }) => [...FAILING[dialect], 'garbage', ...NO_ANSWERS], {
  modes: ['helper', 'raw'],
  ...FEW,
})
const brokenReplies = casesOf(
  ({ dialect }) => [...FAILING[dialect].filter((name) => name !== 'cut'), ...NO_ANSWERS],
  { modes: ['whole'], ...FEW },
)
const refusals = casesOf(() => Object.keys(STATUSES), FEW)

describe.each([
  ['a stream that breaks', brokenStreams, expectBroken],
  ['a whole reply that cannot be used', brokenReplies, expectUnavailable],
  ['a refusal', refusals, expectStatus],
] as const)('%s is reported as a failure', (_title, cases, expectFailure) => {
  let vendor: FixtureVendor
  let gateway: JudgedGateway
  beforeAll(async () => {
    vendor = await startFixtureVendor()
    gateway = await startJudgedGateway(vendor.url, Math.ceil(cases.length / FEW.perProvider))
  })
  afterAll(async () => {
    await gateway.close()
    await vendor.close()
  })

  test.each(cases)('%s', async (_, asked) => {
    const before = vendor.count
    const reply = asked.judge(gateway, { body: bodyFor(asked), mode: asked.mode })
    await expectFailure(reply, asked)
    // The error is that of the vendor, not of a breaker.
    expect(vendor.count).toBeGreaterThan(before)
  })
})

async function expectBroken(reply: Promise<unknown>, { fixture, mode, endpoint, dialect }: Case) {
  if (fixture === 'busy' && mode === 'helper' && endpoint === dialect) {
    // Such a vendor ends its stream without an error event, and the helper of the SDK returns the failed response. When
    // end and beginning came in one read, the client has got nothing yet, and gets a status that it can retry.
    const outcome = await reply.catch((error: unknown) => error)
    expect(outcome).toMatchObject({ status: expect.toBeOneOf(['failed', 529]) })
    expect(outcome).toHaveProperty(
      Object(outcome).status === 529 ? 'message' : 'error.message',
      expect.any(String),
    )
  } else await expect(reply).rejects.toSatisfy(isRaisedByTheClient)
}

/**
 * Whether the client library raised the error, or the error is an error event: a bug of the library or of this test
 * is neither.
 */
function isRaisedByTheClient(error: unknown): boolean {
  if (Object(error).type === 'error') return true
  for (let kind: unknown = error; kind !== null; kind = Object.getPrototypeOf(kind)) {
    const name: unknown = Object(kind).constructor?.name
    if (name === 'OpenAIError' || name === 'AnthropicError' || name === 'ReplyFailed') return true
  }
  return false
}

async function expectUnavailable(reply: Promise<unknown>) {
  await expect(reply).rejects.toMatchObject({ status: expect.toBeOneOf([503, 529]) })
}

async function expectStatus(reply: Promise<unknown>, { fixture }: Case) {
  await expect(reply).rejects.toMatchObject({ status: STATUSES[fixture] })
}
