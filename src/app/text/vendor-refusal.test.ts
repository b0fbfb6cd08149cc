import { describe, expect, test } from 'vitest'
import type { ReplyFailure } from '../../llm/hub/reply-failure.ts'
import { refusalOfAnswer, refusalOfReply, refusalOfSilence } from './vendor-refusal.ts'

describe('an answer of', () => {
  test.each([
    [400, 'invalid_parameter', false],
    [422, 'invalid_parameter', false],
    [413, 'body_too_large', false],
    [401, 'provider_unavailable', true],
    [403, 'provider_unavailable', true],
    [404, 'provider_unavailable', true],
    [429, 'upstream_busy', true],
    [500, 'provider_unavailable', true],
    [529, 'upstream_overloaded', true],
  ] as const)('%i is %s', (status, code, isTheirs) => {
    const body = Buffer.from('{"type":"error","error":{"type":"x","message":"words of the vendor"}}')
    const refused = refusalOfAnswer({ status, retryAfterMs: 6_001 }, body, { hides: [] })
    expect(refused).toMatchObject({ refusal: { code }, isTheirs })
    // Only of a fault in the request are the vendor's own words told.
    expect(refused.refusal.message.includes('words of the vendor')).toBe(!isTheirs)
    if (isTheirs) expect(refused.refusal.retryAfterSeconds).toBe(7)
  })
})

test.each([400, 413, 422])(
  'an answer of %i that complains about the length of the prompt says so',
  (status) => {
    const body = Buffer.from('{"error":{"code":"context_length_exceeded","message":"Too much."}}')
    const { refusal, isTheirs } = refusalOfAnswer({ status, retryAfterMs: undefined }, body, { hides: [] })
    expect(refusal).toMatchObject({ code: 'context_length_exceeded', status: 400 })
    expect(refusal.message).toBe('prompt is too long: Too much.')
    expect(isTheirs).toBe(false)
  },
)

test('what a request points to and nobody has is no trouble of the vendor', () => {
  const body = Buffer.from(
    JSON.stringify({ error: { message: "Item with id 'rs_1' not found at vendor.example." } }),
  )
  const answer = { status: 404, retryAfterMs: undefined }
  expect(refusalOfAnswer(answer, body, { hides: ['vendor.example'], mayPointNowhere: true })).toMatchObject({
    refusal: { code: 'invalid_parameter', message: expect.stringContaining("Item with id 'rs_1' not found") },
    isTheirs: false,
  })
  const { refusal } = refusalOfAnswer(answer, body, { hides: ['vendor.example'], mayPointNowhere: true })
  expect(refusal.message).not.toContain('vendor.example')
  expect(refusalOfAnswer(answer, body, { hides: [] })).toMatchObject({ isTheirs: true })
})

test('silence is their trouble, and says when to come again', () => {
  const failure = { kind: 'breaker-open', taken: 'no', retryAfterMs: 4_200 } as const
  expect(refusalOfSilence(failure)).toMatchObject({
    refusal: { code: 'provider_unavailable', retryAfterSeconds: 5 },
    isTheirs: true,
  })
})

test.each<[ReplyFailure['kind'], string, boolean]>([
  ['broken', 'provider_unavailable', true],
  ['vendor', 'provider_unavailable', true],
  ['too-late', 'provider_unavailable', true],
  ['busy', 'upstream_overloaded', true],
  ['refused', 'invalid_parameter', false],
  ['too-long', 'context_length_exceeded', false],
  // No other model is asked by a process that is leaving.
  ['draining', 'overloaded', false],
])('a reply that failed as %s is %s', (kind, code, isTheirs) => {
  expect(refusalOfReply({ kind, message: 'why' })).toMatchObject({ refusal: { code }, isTheirs })
})
