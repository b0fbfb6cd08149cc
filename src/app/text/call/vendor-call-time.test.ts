import { describe, expect, test } from 'vitest'
import { openVendorCall } from '../../../../test/vendor-call/open-vendor-call.ts'

const served = (outcome: string, outputBytes: number) => ({ kind: 'served', outcome, outputBytes })

describe('as time passes', () => {
  test('a silent stream gets a keep-alive event every third tick', () => {
    const { vendor, client, tick } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a')
    tick(2)
    vendor.say('b')
    tick(2)
    expect(client.received).toEqual(['begin 200', '<a>', '<b>'])
    tick(1)
    expect(client.received.slice(3)).toEqual(['<alive>'])
    tick(6)
    expect(client.received.slice(3)).toEqual(['<alive>', '<alive>', '<alive>'])
  })

  test('events that are not relayed count as silence for the client', () => {
    const { vendor, client, tick } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a')
    for (const word of ['wait', 'wait', 'wait']) {
      vendor.say(word)
      tick(1)
    }
    expect(client.received).toEqual(['begin 200', '<a>', '<alive>'])
  })

  test.each([
    ['no answer comes', 503, '<failed: broken>'],
    ['the vendor refuses', 500, '<failed: vendor>'],
  ])(
    'after a keep-alive event, an error is an event of the stream, even when %s',
    async (_, status, finalEvent) => {
      const { vendor, client, tick, end, isLive } = openVendorCall()
      vendor.ask()
      tick(3)
      expect(client.received).toEqual(['begin 200', '<alive>'])
      if (status === 500) vendor.head(status)
      if (status === 500) vendor.end()
      else vendor.fail('broken')
      expect(client.received.slice(2)).toEqual([finalEvent, 'end'])
      expect(await end()).toMatchObject(served('failed', 0))
      client.close()
      expect(isLive()).toBe(false)
    },
  )

  test('waiting for a whole reply sends no keep-alive', () => {
    const { vendor, client, tick } = openVendorCall({ wants: 'whole' })
    vendor.ask()
    vendor.head()
    tick(100)
    expect(client.received).toEqual([])
  })

  test.each([
    ['in the middle', ['a']],
    ['at the end', ['a', 'end']],
  ])('a client that takes nothing %s is cut after sixty ticks', (_, words) => {
    const { vendor, client, tick } = openVendorCall()
    vendor.ask()
    vendor.head()
    client.isSlow = true
    vendor.say(...words)
    tick(59)
    expect(client.received).not.toContain('cut')
    tick(1)
    expect(client.received.at(-1)).toBe('cut')
    expect(client.received).not.toContain('<alive>')
  })

  test('a client that reads again is not cut', () => {
    const { vendor, client, tick } = openVendorCall()
    vendor.ask()
    vendor.head()
    client.isSlow = true
    vendor.say('a')
    tick(59)
    client.drain()
    client.isSlow = false
    tick(59)
    expect(client.received).not.toContain('cut')
  })

  test('a vendor that keeps its connection open after its final event is stopped at the second tick', () => {
    const { vendor, client, tick, isLive } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('end')
    client.close()
    tick(1)
    expect(vendor.calls).toEqual(['asked'])
    tick(1)
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
    expect(isLive()).toBe(false)
  })
})

describe('when the process stops', () => {
  test('a stream ends with its final events', async () => {
    const { vendor, client, leave, end } = openVendorCall()
    vendor.ask()
    vendor.head()
    vendor.say('a')
    leave()
    expect(await end()).toMatchObject(served('failed', 1))
    expect(client.received.slice(2)).toEqual(['<failed: draining>', 'end'])
    expect(vendor.calls).toEqual(['asked', 'over: aborted'])
  })

  test('a request after the deadline is refused, and no vendor is called', async () => {
    const { vendor, end, isLive } = openVendorCall({ isLeaving: true })
    vendor.ask()
    expect(await end()).toMatchObject({
      kind: 'refused',
      reached: false,
      refused: { apiError: { code: 'overloaded' }, isVendorFault: false },
    })
    expect(vendor.calls).toEqual([])
    expect(isLive()).toBe(false)
  })
})
