import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function openHeld() {
  const held = openVendorCall({ holdBackMs: 5_000 })
  held.vendor.ask()
  held.vendor.head()
  held.vendor.say('start', 'start')
  return held
}

describe('the first events of a stream', () => {
  test('are held back until the first content, and then sent before it', () => {
    const { vendor, client } = openHeld()
    expect(client.received).toEqual([])
    vendor.say('a')
    expect(client.received).toEqual(['begin 200', '<start><start>', '<a>'])
    vi.advanceTimersByTime(60_000)
    expect(client.received).toHaveLength(3)
  })

  test('are sent when the stream ends without content', () => {
    const { vendor, client } = openHeld()
    vendor.say('end')
    expect(client.received).toEqual(['begin 200', '<start><start>', '<end>', 'end'])
  })

  test.each([
    ['says that it failed', (vendor: ReturnType<typeof openHeld>['vendor']) => vendor.say('fail')],
    ['breaks off', (vendor: ReturnType<typeof openHeld>['vendor']) => vendor.fail('broken')],
    ['closes', (vendor: ReturnType<typeof openHeld>['vendor']) => vendor.end()],
  ])('are dropped when the vendor %s: the client gets an error without a trace of them', async (_, act) => {
    const { vendor, client, end } = openHeld()
    act(vendor)
    expect(client.received).toEqual([])
    expect(await end()).toMatchObject({ kind: 'refused', refused: { isVendorFault: true }, reached: true })
  })

  test('are sent after a while, with the name of the model; a later error is an event', async () => {
    const { vendor, client, end } = openHeld()
    vi.advanceTimersByTime(4_999)
    expect(client.received).toEqual([])
    vi.advanceTimersByTime(1)
    expect(client.received).toEqual(['begin 200', ': served_by=a/model\n\n', '<start><start>'])
    vendor.say('fail')
    expect(client.received.slice(3)).toEqual(['<failed: busy>', 'end'])
    expect(await end()).toMatchObject({ kind: 'served', outcome: 'failed' })
  })

  test('are sent before a keep-alive event, if the hold-back time is longer than a silence', () => {
    const { client, tick } = openHeld()
    tick(3)
    expect(client.received).toEqual(['begin 200', '<start><start>', '<alive>'])
  })

  test('are sent when they exceed 64 KiB', () => {
    const { vendor, relay, client } = openHeld()
    const push = relay.push.bind(relay)
    relay.push = (chunk) => push(chunk).padEnd(40_000, '.')
    vendor.say('start')
    expect(client.received).toEqual([])
    vendor.say('start')
    expect(client.received).toEqual(['begin 200', '40014 bytes', '40000 bytes'])
  })

  test('are dropped when the client leaves', async () => {
    const { client, end } = openHeld()
    client.close()
    vi.advanceTimersByTime(60_000)
    expect(client.received).toEqual([])
    expect(await end()).toMatchObject({ kind: 'served', outcome: 'hung-up' })
  })
})
