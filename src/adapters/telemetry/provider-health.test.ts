import { expect, test } from 'vitest'
import { silentMetrics } from '../../../test/silent-metrics.ts'
import type { BreakerHealth } from '../../ports/installation.ts'
import { watchProviderHealth } from './provider-health.ts'

function watched() {
  const now = { ms: 0 }
  const clock = { nowMs: () => 1_000_000 + now.ms, monotonicMs: () => now.ms }
  const { metrics, read } = watchProviderHealth(silentMetrics(), clock)
  const call = (outcome: string) =>
    metrics.upstreamCallFinished({ provider: 'acme', operation: 'messages', outcome, seconds: 1 })
  return { now, metrics, read: () => read('acme'), call }
}

const NOTHING = {
  ...{ breaker: 'closed', breakers: [], keysResting: 0 },
  ...{ calls: 0, errors: 0, refusals: 0, lastError: null },
}

test('a provider that was never called is healthy', () => {
  expect(watched().read()).toEqual(NOTHING)
})

test('calls are counted by their end; a client that left is no fault', () => {
  const { call, read } = watched()
  for (const outcome of ['2xx', '2xx', 'aborted', '4xx', '5xx', 'timeout-idle']) call(outcome)
  expect(read()).toMatchObject({ calls: 6, errors: 2, refusals: 1 })
  expect(read().lastError).toEqual({ atMs: 1_000_000, operation: 'messages', outcome: 'timeout-idle' })
})

test('a call that the breaker refused is an error, but not the last one of its provider', () => {
  const { now, call, read } = watched()
  call('5xx')
  now.ms = 1_000
  call('breaker-open')
  expect(read()).toMatchObject({ calls: 2, errors: 2, lastError: { atMs: 1_000_000, outcome: '5xx' } })
})

test('after five minutes only the last error is left', () => {
  const { now, call, read } = watched()
  call('5xx')
  now.ms = 4 * 60_000
  call('2xx')
  expect(read()).toMatchObject({ calls: 2, errors: 1 })
  now.ms = 5 * 60_000
  expect(read()).toMatchObject({ calls: 1, errors: 0, lastError: { outcome: '5xx' } })
  now.ms = 60 * 60_000
  expect(read()).toMatchObject({ calls: 0, errors: 0, lastError: { outcome: '5xx' } })
  call('2xx')
  expect(read()).toMatchObject({ calls: 1 })
})

test('the breakers and the number of resting keys are current', () => {
  const { metrics, read } = watched()
  metrics.breakerMoved({ provider: 'acme', state: 'open' })
  metrics.breakerMoved({ provider: 'other', state: 'half-open' })
  metrics.watchKeys('acme', () => 2)
  const breakers: BreakerHealth[] = []
  metrics.watchBreakers('acme', () => breakers)
  metrics.watchBreakers('other', () => [])
  expect(read()).toMatchObject({ breaker: 'open', keysResting: 2 })
  expect(read().breakers).toBe(breakers)
})
