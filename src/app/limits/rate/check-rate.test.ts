import { describe, expect, test } from 'vitest'
import type { RateLimits, RateMeter, RateStanding } from '../../../ports/rate-meter.ts'
import { checkRate, RateLimitError } from './check-rate.ts'

const ALLOWED: RateStanding = {
  allowed: true,
  limitPerMinute: 60,
  remaining: 5,
  resetMs: 100,
  retryAfterMs: 0,
}
const REFUSED: RateStanding = { ...ALLOWED, allowed: false, remaining: 0, retryAfterMs: 1_001 }

function setup({ requestsPerMinute = 0 } = {}) {
  const asked: RateLimits[] = []
  const events: string[] = []
  let answer: RateMeter['take'] = () => ALLOWED
  let kept = 0
  const note = (event: string) => void events.push(event)
  const check = checkRate({
    meter: {
      take: (limits) => {
        asked.push(limits)
        return answer(limits)
      },
    },
    localMeter: { take: () => REFUSED },
    requestsPerMinute,
    log: { debug: note, info: note, warn: note, error: note },
    metrics: {
      limitKeptLocally: () => {
        kept += 1
      },
    },
  })
  return {
    check: (key: number | null, organization: number | null = null) =>
      check({
        allowedModels: null,
        hasBudget: false,
        keyId: 'key_1',
        organizationId: 'org_1',
        userId: 'usr_1',
        keyRequestsPerMinute: key,
        organizationRequestsPerMinute: organization,
        keepReplies: null,
      }),
    setAnswer: (next: RateMeter['take']) => {
      answer = next
    },
    asked,
    events,
    kept: () => kept,
  }
}

describe('which limits apply', () => {
  test.each([
    { key: null, organization: null, deployment: 0 },
    { key: 0, organization: 0, deployment: 0 },
    { key: 0, organization: null, deployment: 60 },
  ])('without limits (%o) no meter is called', ({ key, organization, deployment }) => {
    const { check, asked } = setup({ requestsPerMinute: deployment })
    expect(check(key, organization)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test.each([
    { key: 7, organization: null, deployment: 60, asks: [7, undefined] },
    { key: null, organization: null, deployment: 60, asks: [60, undefined] },
    { key: null, organization: 9, deployment: 0, asks: [undefined, 9] },
    { key: null, organization: 9, deployment: 60, asks: [60, 9] },
    { key: 0, organization: 9, deployment: 60, asks: [undefined, 9] },
    { key: 7, organization: 0, deployment: 60, asks: [7, undefined] },
  ])('%o', ({ key, organization, deployment, asks }) => {
    const { check, asked } = setup({ requestsPerMinute: deployment })
    expect(check(key, organization)).toEqual(ALLOWED)
    expect(asked).toEqual([
      { organizationId: 'org_1', keyId: 'key_1', keyPerMinute: asks[0], organizationPerMinute: asks[1] },
    ])
  })
})

test('over the limit: the error has the state of the limit and whole seconds to wait', () => {
  const { check, setAnswer } = setup()
  setAnswer(() => REFUSED)
  expect(() => check(60)).toThrow(RateLimitError)
  expect(() => check(60)).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', retryAfterSeconds: 2, standing: REFUSED }),
  )
})

test('the check waits for a shared meter', async () => {
  const { check, setAnswer } = setup()
  setAnswer(async () => ALLOWED)
  expect(await check(60)).toEqual(ALLOWED)
  setAnswer(async () => REFUSED)
  await expect(check(60)).rejects.toThrow(RateLimitError)
})

test('while the shared meter is unreachable the local one decides, and the log shows when this begins and ends', async () => {
  const { check, setAnswer, events, kept } = setup()
  const fail = () => Promise.reject(new Error('away'))
  for (let outage = 0; outage < 2; outage += 1) {
    setAnswer(fail)
    for (let turn = 0; turn < 3; turn += 1) await expect(check(60)).rejects.toThrow(RateLimitError)
    setAnswer(async () => ALLOWED)
    for (let turn = 0; turn < 3; turn += 1) expect(await check(60)).toEqual(ALLOWED)
  }
  expect(kept()).toBe(6)
  const once = ['limits.local', 'limits.shared']
  expect(events).toEqual([...once, ...once])
})
