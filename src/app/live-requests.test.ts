import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SILENT_LOG } from '../../test/engines/store/silent-log.ts'
import { createMemoryCache } from '../adapters/memory/memory-cache.ts'
import type { Cache } from '../ports/cache.ts'
import type { FinishedRequest } from '../ports/log.ts'
import { createLiveRequests, type LiveListener } from './live-requests.ts'

let nowMs = 0
const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs + 1 }

beforeEach(() => {
  nowMs = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => {
  nowMs += ms
  return vi.advanceTimersByTimeAsync(ms)
}

function finished(requestId: string, organizationId = 'org_1'): FinishedRequest {
  return {
    ...{ requestId, operation: 'listModels', method: 'GET', status: 200, durationMs: 1 },
    ...{ organizationId, keyId: 'key_1' },
  }
}

async function twoReplicas(change: Partial<Cache> = {}) {
  const cache = createMemoryCache({ clock, log: SILENT_LOG, maxBytes: 1_000_000 })
  const [watched, busy] = ['one', 'other'].map((id) =>
    createLiveRequests({ clock, replica: { id, cache: id === 'other' ? { ...cache, ...change } : cache } }),
  )
  if (watched === undefined || busy === undefined) throw new Error('two were made')
  await watched.join()
  await busy.join()
  return { watched, busy }
}

function listen(): { seen: string[]; listener: LiveListener } {
  const seen: string[] = []
  return {
    seen,
    listener: {
      request: ({ requestId }) => void seen.push(requestId),
      dropped: (count) => void seen.push(`${count} dropped`),
    },
  }
}

test('requests of both replicas are reported once each, and only while an operator watches', async () => {
  const { watched, busy } = await twoReplicas()
  const { seen, listener } = listen()
  busy.report(finished('before'))
  const stop = watched.listen(listener, 'ann')
  await pass(0)
  watched.report(finished('own'))
  busy.report(finished('of the other'))
  await pass(250)
  expect(seen).toEqual(['own', 'of the other'])
  await pass(60_000)
  busy.report(finished('after a minute'))
  await pass(250)
  expect(seen).toEqual(['own', 'of the other', 'after a minute'])
  stop?.()
  busy.report(finished('after the operator left'))
  await pass(60_000)
  busy.report(finished('long after'))
  await pass(250)
  expect(seen).toHaveLength(3)
})

test('a group has at most 200 requests, at most 100 of them of one organization; dropped requests are counted', async () => {
  const { watched, busy } = await twoReplicas()
  const { seen, listener } = listen()
  watched.listen(listener, 'ann')
  await pass(0)
  for (let n = 0; n < 1_000; n += 1) busy.report(finished(`many ${n}`, 'org_busy'))
  for (let n = 0; n < 150; n += 1) busy.report(finished(`few ${n}`, `org_${n}`))
  await pass(250)
  expect(seen.filter((word) => word.startsWith('many'))).toHaveLength(100)
  expect(seen.filter((word) => word.startsWith('few'))).toHaveLength(100)
  expect(seen.at(-1)).toBe('950 dropped')
})

test('requests that the cache refused are counted in the next group', async () => {
  let isAway = false
  const taken: string[] = []
  const { watched, busy } = await twoReplicas({
    publish: async (_topic, message) => {
      if (isAway) throw new Error('away')
      taken.push(message)
    },
  })
  watched.listen(listen().listener, 'ann')
  await pass(0)
  isAway = true
  busy.report(finished('lost'))
  await pass(250)
  isAway = false
  busy.report(finished('kept'))
  await pass(250)
  expect(taken.map((text) => JSON.parse(text))).toMatchObject([
    { from: 'other', dropped: 1, requests: [{ requestId: 'kept' }] },
  ])
})

test('a process without replicas reports its own requests', async () => {
  const live = createLiveRequests({ clock })
  await live.join()
  const { seen, listener } = listen()
  const stop = live.listen(listener, 'ann')
  live.report(finished('own'))
  stop?.()
  live.report(finished('late'))
  await live.close()
  expect(seen).toEqual(['own'])
})

test('one operator can watch on at most four pages, and all operators together on at most sixteen', () => {
  const live = createLiveRequests({ clock })
  const open = (operator: string) => live.listen(listen().listener, operator)
  const own = Array.from({ length: 4 }, () => open('ann'))
  expect(open('ann')).toBeUndefined()
  for (const other of ['bob', 'cy', 'dee'])
    for (let page = 0; page < 4; page += 1) expect(open(other)).toBeDefined()
  expect(open('eve')).toBeUndefined()
  own[0]?.()
  expect(open('ann')).toBeDefined()
})
