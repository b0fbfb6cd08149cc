import { afterEach, expect, test, vi } from 'vitest'
import { createCall } from './call.ts'

afterEach(() => vi.useRealTimers())

const NOW = Date.parse('2026-01-02T03:04:05Z')

/** Number of requests within 9 (`early`) and 20 seconds (`late`), when the first answer is 429. */
async function countRequests(retryAfter: string): Promise<{ early: number; late: number }> {
  vi.useFakeTimers({ now: NOW })
  let sent = 0
  const answer = async () => {
    sent += 1
    if (sent > 1) return Response.json({})
    return Response.json({}, { status: 429, headers: { 'retry-after': retryAfter } })
  }
  const done = createCall({ baseUrl: 'http://a', apiKey: 'k', fetch: answer })
    .json('/')
    .catch(() => {})
  await vi.advanceTimersByTimeAsync(9_000)
  const early = sent
  await vi.advanceTimersByTimeAsync(11_000)
  await done
  return { early, late: sent }
}

test.each([
  ['seconds', '10', { early: 1, late: 2 }],
  ['a date', 'Fri, 02 Jan 2026 03:04:15 GMT', { early: 1, late: 2 }],
  ['a date that has passed', 'Fri, 02 Jan 2026 03:04:00 GMT', { early: 2, late: 2 }],
  ['anything else', 'soon', { early: 2, late: 2 }],
  ['a date too far away', 'Fri, 02 Jan 2026 04:04:05 GMT', { early: 1, late: 1 }],
])('how long a request waits after retry-after as %s', async (_name, retryAfter, requests) => {
  expect(await countRequests(retryAfter)).toEqual(requests)
})
