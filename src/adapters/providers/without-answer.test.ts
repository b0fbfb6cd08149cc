import { expect, test } from 'vitest'
import { NetworkError } from '../outbound/network-error.ts'
import { refusalReason } from './vendor-error.ts'
import { submissionAfter } from './without-answer.ts'

test.each([
  ['refused', 'unreachable'],
  ['breaker-open', 'unreachable'],
  ['busy', undefined],
  ['forbidden', undefined],
] as const)('a create call that was certainly not taken (%s) has the reason %s', (kind, reason) => {
  const submission = submissionAfter(new NetworkError(kind, { taken: 'no' }))
  expect(submission).toMatchObject({ kind: 'refused', apiError: { code: 'provider_unavailable' } })
  expect(submission.kind === 'refused' && submission.reason).toBe(reason)
})

test.each(['timeout-first-byte', 'broken', 'timeout-total', 'refused'] as const)(
  'a create call that may have been accepted (%s) is lost: no other vendor is called',
  (kind) => {
    expect(submissionAfter(new NetworkError(kind, { taken: 'maybe' })).kind).toBe('lost')
  },
)

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
  [480, 'no_credit'],
  [481, 'concurrency'],
  [500, 'server_error'],
  [599, 'server_error'],
  [400, undefined],
  [404, undefined],
  [482, undefined],
  [600, undefined],
])('the answer %s has the reason %s, unless the order is the reason', (number, reason) => {
  expect(refusalReason(number, { kind: 'unavailable' })).toBe(reason)
  expect(refusalReason(number, { kind: 'content-policy' })).toBeUndefined()
  expect(refusalReason(number, { kind: 'invalid-parameter', isModelClosed: true })).toBeUndefined()
  expect(refusalReason(number, { kind: 'unavailable', isModelClosed: true })).toBe('model_not_open')
})
