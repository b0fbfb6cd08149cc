import { describe, expect, test } from 'vitest'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'
import type { Relay, WholeReply } from '../contract/relay.ts'

const REPLY: WholeReply = { kind: 'reply', body: 'reply', tokens: undefined, outputBytes: 5, losses: [] }
const LARGE = `{"used":20,"text":"${'x'.repeat(600_000)}"}`

describe('a whole reply that another thread reads', () => {
  function open(text = LARGE) {
    const reading = Promise.withResolvers<WholeReply>()
    const opened = openVendorCall({ wants: 'whole', whole: { read: () => reading.promise } })
    opened.vendor.ask()
    opened.vendor.head()
    opened.vendor.say(text)
    opened.vendor.end()
    return { ...opened, reading }
  }

  test('is answered once it has been read', async () => {
    const { client, end, reading } = open()
    expect(await end()).toBeUndefined()
    reading.resolve(REPLY)
    expect(await end()).toMatchObject({ kind: 'served', outcome: 'completed', isReadToEnd: true })
    expect(client.received).toEqual(['begin 200 reply'])
  })

  test('counts as read to its end for a client that leaves meanwhile', async () => {
    const { client, end, reading, isLive } = open()
    client.close()
    expect(await end()).toBeUndefined()
    reading.resolve(REPLY)
    expect(await end()).toMatchObject({ kind: 'served', outcome: 'hung-up', isReadToEnd: true })
    expect(client.received).toEqual([])
    expect(isLive()).toBe(false)
  })

  test.each([
    ['large', LARGE],
    ['short and holds many values', '{"used":20,"text":"x"}'],
  ])('is charged by its scan when the thread died: it is %s', async (_what, text) => {
    const { end, reading, log } = open(text)
    reading.reject(new Error('out of memory'))
    expect(await end()).toMatchObject({
      ...{ kind: 'served', outcome: 'failed', isReadToEnd: true, tokens: { output: 20 } },
      unusable: { code: 'reply_too_large' },
    })
    expect(log.events).toContain('reply.read_failed')
  })
})

test('a large event on another thread pauses its vendor, even if the client is ready', async () => {
  const { relay, vendor, client, end } = openVendorCall()
  const reading = Promise.withResolvers<void>()
  const large: Relay = relay
  vendor.ask()
  vendor.head()
  vendor.say('a')
  Object.assign(large, { reading: reading.promise, readOn: () => '' })
  vendor.say('b')
  client.drain()
  expect(vendor.calls).toEqual(['asked', 'pause'])
  Object.assign(large, { reading: undefined })
  reading.resolve()
  await end()
  expect(vendor.calls).toEqual(['asked', 'pause', 'resume'])
})
