import { expect, test } from 'vitest'
import type { BreakerHealth } from '../../ports/installation.ts'
import { checkBreakers } from './check-breakers.ts'

const OPEN: BreakerHealth = {
  ...{ target: 'chat create m', organizationId: null, state: 'open', failures: 5 },
  sinceMs: Date.UTC(2026, 4, 4, 10, 0, 0),
  lastFailure: { atMs: Date.UTC(2026, 4, 4, 10, 0, 0), outcome: '5xx' },
  nextTryMs: Date.UTC(2026, 4, 4, 10, 0, 5),
}

test('a closed breaker is not mentioned', () => {
  expect(
    checkBreakers([{ name: 'acme', breakers: [{ ...OPEN, state: 'closed', nextTryMs: null }] }]),
  ).toEqual([])
})

test('an open breaker is a warning with its time, its cause and its next attempt', () => {
  expect(checkBreakers([{ name: 'acme', breakers: [OPEN] }])).toEqual([
    {
      ...{ name: 'breaker of acme', ok: true, warning: true },
      detail:
        'on this replica it is open since 2026-05-04T10:00:00.000Z for the calls "chat create m": 5 failures, the last one 5xx, next try at 2026-05-04T10:00:05.000Z. Until a try succeeds they get 503 or go to a fallback.',
      fix: 'Run "sluice provider test acme", and look at the vendor\'s status page.',
    },
  ])
})

test.each<[string, Partial<BreakerHealth>, RegExp]>([
  ['of one organization', { organizationId: 'org_1' }, /look at the requests of this organization/],
  ['without an answer', { lastFailure: { atMs: 0, outcome: 'refused' } }, /check base_url and the network/],
  ['that broke off', { lastFailure: { atMs: 0, outcome: 'broken' } }, /check base_url and the network/],
  ['too slow', { lastFailure: { atMs: 0, outcome: 'timeout-idle' } }, /UPSTREAM_IDLE_MS say how long/],
])('the advice for a breaker %s', (_name, change, fix) => {
  expect(checkBreakers([{ name: 'acme', breakers: [{ ...OPEN, ...change }] }])).toMatchObject([
    { warning: true, fix: expect.stringMatching(fix) },
  ])
})

test.each<[string, Partial<BreakerHealth>, RegExp]>([
  ['of one organization', { organizationId: 'org_1' }, /for the calls "chat create m" of org_1: 5 failures/],
  ['that is tried now', { state: 'half-open' }, /it is half-open since/],
  ['with one failure', { failures: 1 }, /: 1 failure, the last/],
])('the text for a breaker %s', (_name, change, detail) => {
  expect(checkBreakers([{ name: 'acme', breakers: [{ ...OPEN, ...change }] }])).toMatchObject([
    { detail: expect.stringMatching(detail) },
  ])
})
