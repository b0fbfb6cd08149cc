import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { created, createReplicas, delta, NAME } from '../../../../test/kept-replies/replicas.ts'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

const HANG_UP_LISTEN_MS = 10_000

describe('a reply that reasons, and is cancelled again and again', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Its call goes on for the count when it is cancelled. */
  async function openReasoning() {
    const { rows, open } = createReplicas()
    const [one, other] = [open(), open()]
    const recording = await one.begin()
    const { vendor, relay, client, end, vendorCall } = openVendorCall({ hangUpListenMs: HANG_UP_LISTEN_MS })
    let stops = 0
    recording.onStop(() => {
      stops += 1
      client.close()
    })
    void vendorCall.ended.then(() => recording.close())
    vendor.ask()
    vendor.head()
    vendor.say('a')
    relay.reasoning = { proofBytes: 0 }
    recording.take(created + delta('words', 1))
    return { rows, one, other, recording, vendor, end, stops: () => stops }
  }

  test('by each look of its replica at the wish of another one: it stops once, and ends in time', async () => {
    const { one, other, vendor, end, stops } = await openReasoning()
    await other.shelf.askToStop(NAME, 'cancel')
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

  test('by its clients: it stops once, and ends in time', async () => {
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
