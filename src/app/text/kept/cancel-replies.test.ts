import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  completed,
  created,
  createReplicas,
  delta,
  NAME,
  readAll,
} from '../../../../test/kept-replies/replicas.ts'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

const HANG_UP_LISTEN_MS = 10_000
const CANCEL_WAIT_MS = 15_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a reply that reasons', () => {
  /** The call of a cancelled reply continues until the vendor reports the usage. */
  async function openReasoning() {
    const { rows, open } = createReplicas()
    const [one, other] = [open(), open()]
    const recording = await one.begin()
    const { vendor, relay, client, end, vendorCall } = openVendorCall({ hangUpListenMs: HANG_UP_LISTEN_MS })
    let stops = 0
    client.sink.restIsUseless = () => recording.isTooLarge
    recording.onStop(() => {
      stops += 1
      client.close()
    })
    void vendorCall.ended.then(() => recording.close())
    vendor.ask()
    vendor.head()
    vendor.say('a')
    relay.reasoning = { proofCharacters: 0 }
    recording.take(created + delta('words', 1))
    return { rows, one, other, recording, vendor, end, stops: () => stops }
  }

  test('a reply is stopped once, and ends in time, though its replica sees the stop request several times', async () => {
    const { one, other, vendor, end, stops } = await openReasoning()
    await other.replies.requestStop(NAME, 'cancel')
    await one.running.renew()
    for (let ms = 0; ms < HANG_UP_LISTEN_MS; ms += 2_000) {
      expect(await end()).toBeUndefined()
      await vi.advanceTimersByTimeAsync(2_000)
      await one.running.renew()
    }
    expect(await end()).toMatchObject({ outcome: 'hung-up' })
    expect([stops(), vendor.calls]).toEqual([1, ['asked', 'over: aborted']])
    expect(await other.getResponse(NAME)).toMatchObject({ status: 'cancelled' })
  })

  test('a reply that is too large ends immediately: no client could read the rest', async () => {
    const { one, recording, vendor, end, stops } = await openReasoning()
    recording.take(delta('x'.repeat(2 * 1024 * 1024), 2))
    expect(stops()).toBe(0)
    expect(await end()).toMatchObject({ outcome: 'hung-up', isReadToEnd: false })
    recording.cancel()
    expect([stops(), vendor.calls]).toEqual([1, ['asked', 'over: aborted']])
    expect(await one.getResponse(NAME)).toMatchObject({ status: 'failed' })
  })

  test('a reply that its clients cancel repeatedly is stopped once, and ends in time', async () => {
    const { one, recording, vendor, end, stops } = await openReasoning()
    for (const ms of [4_000, 4_000, 2_000]) {
      recording.cancel()
      expect(await end()).toBeUndefined()
      await vi.advanceTimersByTimeAsync(ms)
    }
    expect(await end()).toMatchObject({ outcome: 'hung-up' })
    expect([stops(), vendor.calls]).toEqual([1, ['asked', 'over: aborted']])
    expect(await one.getResponse(NAME)).toMatchObject({ status: 'cancelled' })
  })
})

describe('an answer to a cancel', () => {
  /** A reply that does not end when it is stopped, on one of two replicas. */
  async function openRunning() {
    const { rows, open } = createReplicas()
    const [one, other] = [open(), open()]
    const recording = await one.begin()
    const leaving = new AbortController()
    /** Returns a list to which the response is added when the client gets it. */
    const cancel = (at: typeof one) => {
      const got: { status?: unknown }[] = []
      void at.cancelResponse(NAME, leaving.signal).then((response) => got.push(response))
      return got
    }
    return { rows, one, other, recording, leaving, cancel }
  }
  const stopRequests = (rows: Map<string, string>) => [...rows].filter(([key]) => key.endsWith(':stop'))

  test.each(['one', 'other'] as const)(
    'waits 15 s at most, even when it is woken often: %s',
    async (where) => {
      const replicas = await openRunning()
      const got = replicas.cancel(replicas[where])
      for (let look = 0; look < 100; look++) {
        await vi.advanceTimersByTimeAsync(10)
        replicas[where].running.wake(NAME)
      }
      await vi.advanceTimersByTimeAsync(CANCEL_WAIT_MS - 2_000)
      expect(got).toEqual([])
      await vi.advanceTimersByTimeAsync(2_000)
      expect(got).toMatchObject([{ status: 'queued' }])
    },
  )

  test.each(['one', 'other'] as const)('ends when its client leaves: %s', async (where) => {
    const replicas = await openRunning()
    const got = replicas.cancel(replicas[where])
    await vi.advanceTimersByTimeAsync(1_000)
    replicas.leaving.abort()
    await vi.advanceTimersByTimeAsync(250)
    expect(got).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is sent at the end of the reply', async () => {
    const { one, recording, cancel } = await openRunning()
    const got = cancel(one)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(got).toEqual([])
    recording.take(created + completed)
    await recording.finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(got).toMatchObject([{ status: 'completed' }])
  })

  test('uses a slot of a reader while it waits for another replica', async () => {
    const { rows, other, recording, leaving, cancel } = await openRunning()
    const waiting = Array.from({ length: 128 }, () => cancel(other))
    await vi.advanceTimersByTimeAsync(0)
    await expect(readAll(other)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    rows.delete(String(stopRequests(rows)[0]?.[0]))
    // Without a free slot the cancel does not wait, but it still stores the stop request.
    expect(await other.cancelResponse(NAME)).toMatchObject({ status: 'queued' })
    expect(stopRequests(rows)).toHaveLength(1)
    leaving.abort()
    await vi.advanceTimersByTimeAsync(250)
    expect(waiting.every((got) => got.length === 1)).toBe(true)
    recording.take(created + completed)
    await recording.finish()
    expect(await readAll(other)).toHaveLength(2)
  })
})

test('a deleted reply is not kept, even if the reply ends before its replica sees the delete', async () => {
  const { rows, open } = createReplicas()
  const [one, other] = [open(), open()]
  const recording = await one.begin()
  await other.deleteResponse(NAME, AbortSignal.abort())
  recording.take(created + delta('words', 1) + completed)
  await recording.finish()
  await expect(other.getResponse(NAME)).rejects.toMatchObject({ code: 'not_found' })
  expect([...rows.keys()].filter((key) => !/:(lease|stop)$/.test(key))).toEqual([])
})
