import { describe, expect, test } from 'vitest'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

const served = (outcome: string, outputBytes: number) => ({ kind: 'served', outcome, outputBytes })

describe('a stream', () => {
  test('passes events, ends, and is watched until both sides are done', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('wait', 'a', 'end')
    expect(await end()).toMatchObject(served('completed', 4))
    expect(client.received).toEqual(['begin 200', '<a>', '<end>', 'end'])
    client.close()
    expect(isLive()).toBe(true)
    vendor.end()
    expect(isLive()).toBe(false)
    expect(vendor.calls).toEqual(['asked'])
  })

  test('a slow client pauses the vendor until it has read', () => {
    const { vendor, client } = openVendorCall()
    vendor.ask()
    vendor.head()
    client.isSlow = true
    vendor.say('a', 'b')
    expect(vendor.calls).toEqual(['asked', 'pause'])
    client.drain()
    expect(vendor.calls).toEqual(['asked', 'pause', 'resume'])
  })

  test('that ends during a pause releases the vendor', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    client.isSlow = true
    vendor.say('a', 'end')
    expect(await end()).toMatchObject(served('completed', 4))
    expect(vendor.calls).toEqual(['asked', 'pause', 'resume'])
    vendor.end()
    client.close()
    expect(isLive()).toBe(false)
  })

  test('a last event that the client cannot take immediately does not delay the end', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    client.isSlow = true
    vendor.say('end large')
    vendor.end()
    expect(await end()).toMatchObject(served('completed', 9))
    expect(client.received).toEqual(['begin 200', '200000 bytes', 'end'])
    expect(vendor.calls).toEqual(['asked'])
    expect(isLive()).toBe(true)
    client.drain()
    client.close()
    expect(isLive()).toBe(false)
  })

  test('that the gateway ends stops the vendor', async () => {
    const { vendor, end } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a', 'end early')
    expect(await end()).toMatchObject({ outcome: 'completed' })
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
  })

  test('that fails before its first event is an error', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('wait', 'fail')
    expect(await end()).toMatchObject({
      kind: 'refused',
      reached: true,
      refused: { apiError: { code: 'upstream_overloaded' } },
    })
    expect(client.received).toEqual([])
    // The HTTP layer answers the client, and watches its connection.
    expect(isLive()).toBe(false)
  })

  test('that breaks off ends with its final events', async () => {
    const { vendor, client, end } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a')
    vendor.fail('timeout-idle')
    expect(await end()).toMatchObject(served('failed', 1))
    expect(client.received).toEqual(['begin 200', '<a>', '<failed: too-late>', 'end'])
  })
})

describe('a whole reply', () => {
  test('is sent whole, from any number of pieces', async () => {
    const { vendor, client, end } = openVendorCall({ wants: 'whole' })
    vendor.ask()
    vendor.head()
    vendor.say('re', 'ply')
    expect(client.received).toEqual([])
    vendor.end()
    expect(await end()).toMatchObject(served('completed', 5))
    expect(client.received).toEqual(['begin 200 reply'])
  })

  test('is completed, even if its client disconnects right after it', async () => {
    const { vendor, client, end, isLive } = openVendorCall({ wants: 'whole' })
    const { begin } = client.sink
    client.sink.begin = (head) => {
      begin(head)
      client.close()
    }
    vendor.ask()
    vendor.head()
    vendor.say('reply')
    vendor.end()
    expect(await end()).toMatchObject(served('completed', 5))
    expect(isLive()).toBe(false)
  })

  test('that is not a reply is an error', async () => {
    const { vendor, client, end } = openVendorCall({ wants: 'whole' })
    vendor.ask()
    vendor.head()
    vendor.say('fail')
    vendor.end()
    expect(await end()).toMatchObject({ kind: 'refused', reached: true })
    expect(client.received).toEqual([])
  })
})

test.each([
  ['stream', 'push'],
  ['stream', 'close'],
  ['whole', 'read'],
] as const)(
  'a %s that throws in %s is refused and logged, and the client does not wait',
  async (wants, at) => {
    const { vendor, client, relay, end, log, isLive } = openVendorCall({ wants })
    vendor.ask()
    vendor.head()
    relay.throwsAtClose = at === 'close'
    vendor.say(at === 'close' ? 'wait' : 'throw')
    vendor.end()
    expect(await end()).toMatchObject({
      kind: 'refused',
      reached: true,
      refused: { apiError: { code: 'provider_unavailable' }, isVendorFault: true },
    })
    expect(log.events).toEqual(['reply.read_failed'])
    expect(client.received).toEqual([])
    expect(isLive()).toBe(false)
  },
)

test.each(['push', 'close'])('a stream ends with an error event when its %s throws', async (at) => {
  const { vendor, client, relay, end } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('a')
  relay.throwsAtClose = at === 'close'
  if (at === 'push') vendor.say('throw')
  vendor.end()
  expect(await end()).toMatchObject(served('failed', 1))
  expect(client.received).toEqual(['begin 200', '<a>', '<failed: broken>', 'end'])
})

test('a call that cannot be sent throws, and the client does not wait', async () => {
  const { vendorCall, end, isLive } = openVendorCall()
  const fault = new Error('a fault of ours')
  expect(() =>
    vendorCall.begin(() => {
      throw fault
    }),
  ).toThrow(fault)
  expect(await end()).toMatchObject({ kind: 'refused' })
  expect(isLive()).toBe(false)
})

describe('a client that hangs up', () => {
  test('before the call to the vendor: no call is made', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    client.close()
    vendor.ask()
    expect(await end()).toMatchObject({ kind: 'refused', reached: false })
    expect(vendor.calls).toEqual([])
    expect(isLive()).toBe(false)
  })

  test.each([
    ['no', { kind: 'refused', reached: false }],
    ['maybe', { kind: 'served', outcome: 'hung-up', outputBytes: 0 }],
  ] as const)('before the head; the vendor has the request: %s', async (taken, expected) => {
    const { vendor, client, end, isLive } = openVendorCall({ taken })
    vendor.ask()
    client.close()
    expect(await end()).toMatchObject(expected)
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
    expect(isLive()).toBe(false)
  })

  test('in the middle of a stream: the vendor is stopped', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a')
    client.close()
    expect(await end()).toMatchObject(served('hung-up', 1))
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
    expect(isLive()).toBe(false)
  })

  test("while the vendor refuses: the vendor's error counts", async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head(429, 7_000)
    vendor.say('half of the wor')
    client.close()
    expect(await end()).toMatchObject({
      kind: 'refused',
      reached: true,
      refused: { apiError: { code: 'upstream_busy', retryAfterSeconds: 7 } },
    })
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
    expect(isLive()).toBe(false)
  })

  test('after the end changes nothing', async () => {
    const { vendor, client, end, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('end')
    vendor.end()
    client.close()
    expect(await end()).toMatchObject(served('completed', 3))
    expect(isLive()).toBe(false)
  })
})

test('after the end a failure and more text change nothing', async () => {
  const { vendorCall, vendor, client, end } = openVendorCall()
  vendor.ask()
  vendor.head()
  vendor.say('end', 'more')
  vendorCall.failWith({ kind: 'broken', message: 'late' })
  vendor.fail('broken')
  expect(await end()).toMatchObject(served('completed', 3))
  expect(client.received).toEqual(['begin 200', '<end>', 'end'])
})
