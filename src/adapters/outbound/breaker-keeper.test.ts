import { expect, test } from 'vitest'
import { createLogBook } from '../../../test/engines/cache/log-book.ts'
import { silentMetrics } from '../../../test/silent-metrics.ts'
import type { BreakerHealth } from '../../ports/installation.ts'
import { DEFAULT_BREAKER_RULES } from './breaker.ts'
import { createBreakerKeeper } from './breaker-keeper.ts'

const START_MS = 1_000_000
const TARGET = 'chat create m'

/** Breakers of one upstream, and their list for operators. */
function openKeeper() {
  const now = { ms: 0 }
  let read: () => readonly BreakerHealth[] = () => []
  const keeper = createBreakerKeeper({
    ...{ name: 'acme', rules: DEFAULT_BREAKER_RULES, log: createLogBook() },
    clock: { nowMs: () => START_MS + now.ms, monotonicMs: () => now.ms },
    metrics: silentMetrics({
      watchBreakers(_provider, reader) {
        read = reader
      },
    }),
  })
  const begin = (holder: string, target = TARGET, { isRepeat = false } = {}) => {
    const admission = keeper.admit({ target, holder, isRepeat })
    return {
      answer: (status: number) => keeper.report(admission, status),
      fail: (kind: 'refused' | 'timeout-first-byte' | 'aborted') => keeper.report(admission, 0, kind),
    }
  }
  const fail = (times: number, holders: readonly string[] = ['org_1']) => {
    for (let call = 0; call < times; call += 1) begin(holders[call % holders.length] ?? '').answer(500)
  }
  return { now, keeper, begin, fail, list: () => read() }
}

const CLOSED = {
  ...{ target: TARGET, organizationId: null, state: 'closed', sinceMs: null },
  ...{ failures: 0, lastFailure: null, nextTryMs: null },
}

test('a target without calls has no breaker, and one with answers has a closed breaker', () => {
  const { begin, list } = openKeeper()
  expect(list()).toEqual([])
  begin('org_1').answer(200)
  begin('org_1').answer(429)
  expect(list()).toEqual([CLOSED])
})

test('a failed call and its repetition count as one failure, except for a probe', () => {
  const { begin, fail, list, now } = openKeeper()
  begin('org_1').answer(500)
  for (let repeat = 0; repeat < 30; repeat += 1) begin('org_1', TARGET, { isRepeat: true }).answer(500)
  expect(list()).toMatchObject([{ organizationId: null, state: 'closed', failures: 1 }])
  fail(4)
  expect(list()).toMatchObject([{ organizationId: 'org_1', state: 'open' }, { state: 'closed' }])
  now.ms += DEFAULT_BREAKER_RULES.openMsMin
  begin('org_1', TARGET, { isRepeat: true }).answer(500)
  expect(list()).toMatchObject([{ organizationId: 'org_1', state: 'open', failures: 6 }, { state: 'closed' }])
})

test('a client that left is not a failure', () => {
  const { begin, list } = openKeeper()
  begin('org_1').fail('aborted')
  expect(list()).toEqual([CLOSED])
})

test('failures of several organizations open the breaker for all organizations', () => {
  const { now, begin, fail, list } = openKeeper()
  now.ms = 2_000
  fail(4, ['org_1', 'org_2'])
  expect(list()).toEqual([
    { ...CLOSED, failures: 4, lastFailure: { atMs: START_MS + 2_000, outcome: '5xx' } },
  ])
  now.ms = 3_000
  begin('org_1').fail('timeout-first-byte')
  expect(list()).toEqual([
    {
      ...{
        target: 'chat create m',
        organizationId: null,
        state: 'open',
        sinceMs: START_MS + 3_000,
        failures: 5,
      },
      lastFailure: { atMs: START_MS + 3_000, outcome: 'timeout-first-byte' },
      nextTryMs: START_MS + 8_000,
    },
  ])
})

test('failures of one organization open its own breaker, which is listed first', () => {
  const { now, begin, fail, list } = openKeeper()
  begin('org_2', 'responses create n').answer(200)
  now.ms = 1_000
  fail(5)
  const lastFailure = { atMs: START_MS + 1_000, outcome: '5xx' }
  expect(list()).toEqual([
    {
      ...{ target: 'chat create m', organizationId: 'org_1', state: 'open', sinceMs: START_MS + 1_000 },
      ...{ failures: 5, lastFailure, nextTryMs: START_MS + 6_000 },
    },
    { ...CLOSED, target: 'responses create n' },
    { ...CLOSED, failures: 5, lastFailure },
  ])
})

test('a try that runs, fails and at last succeeds', () => {
  const { now, begin, fail, list } = openKeeper()
  fail(5, ['org_1', 'org_2'])
  now.ms = 6_000
  const first = begin('org_3')
  expect(list()[0]).toMatchObject({
    state: 'half-open',
    sinceMs: START_MS,
    failures: 5,
    nextTryMs: START_MS + 11_000,
  })
  now.ms = 7_000
  first.fail('refused')
  expect(list()[0]).toEqual({
    ...{ target: 'chat create m', organizationId: null, state: 'open', sinceMs: START_MS, failures: 6 },
    lastFailure: { atMs: START_MS + 7_000, outcome: 'refused' },
    nextTryMs: START_MS + 12_000,
  })
  now.ms = 20_000
  begin('org_4').answer(200)
  expect(list()).toEqual([
    {
      ...{ ...CLOSED, sinceMs: START_MS + 20_000 },
      lastFailure: { atMs: START_MS + 7_000, outcome: 'refused' },
    },
  ])
})

test('at most a hundred breakers are shown, open ones first', () => {
  const { begin, list } = openKeeper()
  for (let model = 0; model < 150; model += 1) begin('org_1', `m${model}`).answer(200)
  for (let call = 0; call < 5; call += 1) begin('org_1', 'm149').answer(503)
  expect(list()).toHaveLength(100)
  expect(list()[0]).toMatchObject({ target: 'm149', organizationId: 'org_1', state: 'open' })
})
