import type { ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import type { Surcharges } from '@sluice/dialects/canonical/usage'
import { describe, expect, test } from 'vitest'
import { routeTo } from '../../../../test/vendor-call/route-to.ts'
import { ApiError } from '../../../domain/api-error.ts'
import { builtInModels } from '../../../domain/catalog/built-in.ts'
import { usageOf, usageOfRefused } from './usage-of.ts'
import type { ServedEnd } from './vendor-call-end.ts'

const NAME = 'vendorD/text-large'
const ROUTE = routeTo(
  {
    name: 'vendorD',
    hides: [],
    findModel: () => ({ dialect: 'messages', upstream: 'up', countsTokens: false, reasons: true }),
    send: () => ({ stop() {} }),
  },
  { model: builtInModels(0).find(({ name }) => name === NAME), endpoint: 'messages' },
)

const ZERO: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }

/** Usage of a reply of 400 bytes to a request of 1,000 tokens. */
function usageWith(
  changes: Partial<ServedEnd>,
  more: { maxOutputTokens?: number; elsewhereTokens?: number; requested?: Surcharges } = {},
) {
  let counts = 0
  const end: ServedEnd = {
    kind: 'served',
    outcome: 'completed',
    isReadToEnd: changes.outcome === undefined || changes.outcome === 'completed',
    tokens: undefined,
    outputBytes: 400,
    firstByteMs: 1.6,
    losses: [],
    ...changes,
  }
  const countInput = () => {
    counts += 1
    return 1_000
  }
  const measured = {
    requestId: 'req_1',
    route: ROUTE,
    countInput,
    durationMs: 2.4,
    operation: 'messages' as const,
    losses: ['top_k'],
    tokensPerSecond: () => 50,
  }
  const usage = usageOf(end, { maxOutputTokens: undefined, ...measured, ...more })
  return { ...usage, counts }
}

describe('the input', () => {
  test('has the count of the vendor, and is not counted again', () => {
    const tokens = { ...ZERO, input: 7, cachedInput: 5, cacheWrite: 3, output: 9 }
    expect(usageWith({ tokens })).toMatchObject({
      ...{ inputTokens: 7, cachedInputTokens: 5, cacheWriteTokens: 3, outputTokens: 9 },
      ...{ counts: 0, firstByteMs: 2, durationMs: 2, model: NAME, losses: ['top_k'] },
    })
  })

  test('may all come from the cache', () => {
    const tokens = { ...ZERO, cachedInput: 5, output: 9 }
    expect(usageWith({ tokens })).toMatchObject({ inputTokens: 0, cachedInputTokens: 5, counts: 0 })
  })

  test.each([
    ['no count', undefined],
    ['a count of nothing', ZERO],
    ['a count of the output alone', { ...ZERO, output: 9 }],
  ])('with %s is counted by the gateway', (_, tokens) => {
    const usage = usageWith({ tokens })
    expect(usage).toMatchObject({ inputTokens: 1_000, cachedInputTokens: 0, counts: 1 })
    expect(usage.outputTokens).toBe(tokens?.output === 9 ? 9 : 100)
    expect(usage.costMicros).toBe(tokens?.output === 9 ? 3_135 : 4_500)
  })
})

describe('the output', () => {
  const started = { ...ZERO, input: 7, output: 1 }

  test.each([
    ['hung-up', 400, 100],
    ['failed', 400, 100],
    ['hung-up', 0, 1],
    ['completed', 400, 1],
  ] as const)('of a reply that is %s after %i bytes is %i', (outcome, outputBytes, outputTokens) => {
    expect(usageWith({ outcome, outputBytes, tokens: started })).toMatchObject({
      inputTokens: 7,
      outputTokens,
    })
  })

  test.each([
    ['hung-up', 100],
    ['failed', 100],
    ['hung-up', 90],
    ['failed', 300],
  ] as const)('of a reply that is %s right after its vendor counted %i is that count', (outcome, output) => {
    const tokens = { ...ZERO, input: 7, output }
    expect(usageWith({ outcome, tokens, isAllCounted: true })).toMatchObject({ outputTokens: output })
  })

  test('of a reply whose vendor counts no output is counted by the gateway', () => {
    const tokens = { ...ZERO, input: 7 }
    expect(usageWith({ outcome: 'hung-up', tokens, isAllCounted: true })).toMatchObject({ outputTokens: 100 })
  })

  test('of a reply that failed before its first text is free', () => {
    expect(usageWith({ outcome: 'failed', outputBytes: 0 })).toMatchObject({ costMicros: 0 })
  })

  test('of a complete but unusable reply is charged, even without text: 3,135 micros', () => {
    const tokens = { ...ZERO, input: 1_000, output: 9 }
    expect(usageWith({ outcome: 'failed', isReadToEnd: true, outputBytes: 0, tokens })).toMatchObject({
      inputTokens: 1_000,
      outputTokens: 9,
      costMicros: 3_135,
    })
    expect(usageWith({ outcome: 'hung-up', outputBytes: 0 })).toMatchObject({ costMicros: 3_000 })
  })
})

test('losses of the request and of the reply are both named, each once', () => {
  expect(usageWith({ losses: ['top_k', 'citations'] }).losses).toEqual(['top_k', 'citations'])
})

test('a refused request has a row without a cost', () => {
  const refused = {
    requestId: 'req_1',
    operation: 'chat',
    route: ROUTE,
    durationMs: 2.5,
    losses: [],
  } as const
  expect(usageOfRefused(refused, new ApiError('upstream_overloaded'))).toMatchObject({
    ...{ operation: 'chat', status: 529, code: 'upstream_overloaded' },
    ...{ model: NAME, outcome: 'failed', costMicros: 0, inputTokens: 0, outputTokens: 0, durationMs: 3 },
  })
})

describe('reasoning that was hidden when the client hung up', () => {
  const hungUp = (hidden: ServedEnd['hidden'], tokens?: ReplyTokens) =>
    usageWith({ outcome: 'hung-up', hidden, tokens })

  test.each([
    ['as long as its proof', { proofCharacters: 60_000, durationMs: 2_000 }, 10_000, 153_000],
    ['as long as it took', { proofCharacters: 60, durationMs: 20_000 }, 1_000, 18_000],
    ['never longer than the model can write', { proofCharacters: 9_000_000, durationMs: 0 }, 64_000, 963_000],
    ['never shorter than what passed', { proofCharacters: 0, durationMs: 0 }, 100, 4_500],
  ])('is %s', (_name, hidden, outputTokens, costMicros) => {
    expect(hungUp(hidden)).toMatchObject({ outputTokens, costMicros })
  })

  test('has the count of the vendor if that is larger', () => {
    const tokens = { ...ZERO, input: 1_000, output: 12_000 }
    expect(hungUp({ proofCharacters: 60_000, durationMs: 2_000 }, tokens)).toMatchObject({
      outputTokens: 12_000,
      costMicros: 183_000,
    })
  })

  test('is never longer than the request allows', () => {
    const end = {
      outcome: 'hung-up',
      outputBytes: 0,
      hidden: { proofCharacters: 0, durationMs: 20_000 },
    } as const
    expect(usageWith(end, { maxOutputTokens: 300 })).toMatchObject({ outputTokens: 300, costMicros: 7_500 })
  })

  test('costs only 3,000 micros for the input when no byte of the reply arrived', () => {
    const hidden = { proofCharacters: 0, durationMs: 20_000 }
    const end = { outcome: 'hung-up', outputBytes: 0, firstByteMs: undefined, hidden } as const
    expect(usageWith(end)).toMatchObject({ inputTokens: 1_000, outputTokens: 0, costMicros: 3_000 })
  })

  test('costs nothing more if the vendor failed', () => {
    const hidden = { proofCharacters: 60_000, durationMs: 20_000 }
    expect(usageWith({ outcome: 'failed', hidden })).toMatchObject({ outputTokens: 100, costMicros: 4_500 })
  })
})

describe('input that was not counted when the client hung up', () => {
  const end = { outcome: 'hung-up', outputBytes: 400 } as const

  test.each([
    ['is the context of the model for input behind a reference', {}, 200_000, 601_500],
    ['is more with each tool that the vendor ran', { hostedCalls: 2 }, 216_000, 1_298_250],
    ['is what the vendor counted', { tokens: { ...ZERO, input: 9 } }, 9, 1_527],
    [
      'is what the vendor counted and more with its tools',
      { tokens: { ...ZERO, input: 9 }, hostedCalls: 1 },
      8_009,
      25_527,
    ],
    [
      "is the gateway's own count if the vendor failed",
      { outcome: 'failed' as const, hostedCalls: 1 },
      1_000,
      4_500,
    ],
  ])('%s', (_name, changes, inputTokens, costMicros) => {
    const usage = usageWith({ ...end, ...changes }, { elsewhereTokens: 200_000 })
    expect(usage).toMatchObject({ inputTokens, outputTokens: 100, costMicros })
  })

  test('costs the requested tier, unless the reply was read to its end', () => {
    const tokens = { ...ZERO, input: 1_000, output: 100 }
    const requested = { tier: 'priority' }
    expect(usageWith({ ...end, tokens }, { requested }).costMicros).toBe(11_250)
    expect(usageWith({ ...end, tokens, isReadToEnd: true }, { requested }).costMicros).toBe(4_500)
  })
})
