import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { readForwarded } from './forwarded.ts'

const request = (remoteAddress: string | undefined, headers: Record<string, string>): IncomingMessage =>
  Object({ socket: { remoteAddress }, headers })

describe('the address of a client', () => {
  const { addressOf } = readForwarded(['10.0.0.0/8', 'fd00::/8', '192.0.2.7/32'])

  test.each([
    ['a client without a proxy', '198.51.100.1', '', '198.51.100.1'],
    ['a client that writes the header itself', '198.51.100.1', '1.2.3.4', '198.51.100.1'],
    ['a client behind one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client behind two proxies', '10.0.0.1', '198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['a client that adds entries of its own', '10.0.0.1', '1.2.3.4, 10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['a proxy that sends nothing', '10.0.0.1', '', '10.0.0.1'],
    ['a chain of trusted proxies only', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['an entry that is no address', '10.0.0.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['an entry with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['a proxy that is seen as IPv6', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['IPv4 written as IPv6', '10.0.0.1', '::ffff:c633:6401', '198.51.100.1'],
    ['IPv6', 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['IPv6 in brackets with a port', 'fd00::1', '[2001:DB8:0001:2::9]:443', '2001:db8:1:2'],
    ['IPv6 with zeros in it', 'fd00::1', '2001:db8::9', '2001:db8:0:0'],
    ['IPv6 whose zeros end before the half', 'fd00::1', '2001::4:5:6:7:8', '2001:0:0:4'],
    ['this machine', '::1', '', '0:0:0:0'],
    ['a link-local address', 'fe80::1%eth0', '', 'fe80:0:0:0'],
    ['a connection that is gone', undefined, '1.2.3.4', ''],
  ])('of %s', (_what, peer, header, address) => {
    expect(addressOf(request(peer, header === '' ? {} : { 'x-forwarded-for': header }))).toBe(address)
  })

  test('of a client without a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '1.2.3.4' }
    expect(readForwarded([]).addressOf(request('10.0.0.1', headers))).toBe('10.0.0.1')
  })
})

describe('https', () => {
  test.each([
    ['https', true],
    ['HTTPS', true],
    ['https, http', true],
    ['https,http', true],
    ['http', false],
    ['http, https', false],
    ['', false],
  ])('"%s" from any peer while no proxy is listed, else from proxies alone', (header, isHttps) => {
    const headers = { 'x-forwarded-proto': header }
    expect(readForwarded([]).isHttps(request('198.51.100.1', headers))).toBe(isHttps)
    const listed = readForwarded(['10.0.0.0/8'])
    expect(listed.isHttps(request('10.0.0.1', headers))).toBe(isHttps)
    expect(listed.isHttps(request('198.51.100.1', headers))).toBe(false)
  })
})
