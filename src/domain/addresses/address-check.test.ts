import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fc, runs } from '../../../test/random/properties.ts'
import { createAddressCheck, SPECIAL_IPV4_RANGES, SPECIAL_IPV6_RANGES } from './address-check.ts'

/** Addresses of every range that a client must not lead us to, among them the first and the last. */
const PRIVATE_IPV4 = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.0', '127.0.0.1', '127.1.1.1'],
  ...['127.255.255.255', '168.63.129.16', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ...['172.16.0.0', '172.20.10.5', '172.31.255.255', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.1', '192.88.99.255', '192.168.0.0'],
  ...['192.168.1.1', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255'],
  ...['203.0.113.0', '203.0.113.255', '224.0.0.0', '224.0.0.251', '239.255.255.255', '240.0.0.0'],
  ...['247.1.2.3', '255.255.255.254', '255.255.255.255'],
]

/** The neighbours of the ranges in `PRIVATE_IPV4`, and a few well-known hosts. */
const PUBLIC_IPV4 = [
  ...['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0'],
  ...['172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255'],
  ...['192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255'],
  ...['198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
]

const PRIVATE_IPV6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::2', '1::', '100::1'],
  ...['fe80::1', 'febf:ffff::1', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1', 'ff02::1', 'ff0e::1'],
  ...['2001::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:1::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ...[
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2001:DB8:ffff:ffff::',
    '2002::',
    '2002:7f00:1::',
    '2002:808:808::1',
  ],
  ...[
    '3fff::1',
    '3fff:fff:ffff::1',
    '4000::1',
    '5f00::1',
    '64:ff9b:1::1',
    '64:ff9b:1:7f00:1::',
    '64:ff9a::1',
  ],
  ...[
    '64:ff9b:0:0:0:1:808:808',
    '::ffff:0:8.8.8.8',
    '::fffe:8.8.8.8',
    '::8.8.8.8',
    'ffff:ffff::ffff',
    '1fff::',
  ],
]

const PUBLIC_IPV6 = [
  ...[
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:4860:4860:0000:0000:0000:0000:8888',
    '2001:db7::1',
  ],
  ...['2001:db9::1', '2003::1', '2606:4700:4700::1111', '2620:fe::fe', '2A00:1450:4001:82A::200E', '3ffe::1'],
  ...[
    '3fff:1000::1',
    '3eff:ffff::1',
    '::ffff:8.8.8.8',
    '::FFFF:808:808',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ],
]

const NOT_ADDRESSES = [
  ...[
    '',
    ' ',
    'localhost',
    'example.com',
    '1',
    '1.1',
    '1.1.1',
    '1.1.1.1.1',
    '1.1.1.256',
    '01.1.1.1',
    '1.1.1.08',
  ],
  ...['0x1.1.1.1', '16843009', '1.1.1.1 ', ' 1.1.1.1', '1.1.1.1\n', '1.1.1.1/32', '1.1.1.1:80', '1.1.1.-1'],
  ...[
    '+1.1.1.1',
    '1e0.1.1.1',
    '1..1.1',
    '.1.1.1.1',
    '1.1.1.1.',
    '１.1.1.1',
    '[2606:4700::1]',
    '2606:4700::1%eth0',
  ],
  ...['2606:4700::1%25eth0', '2606::4700::1', '2606:4700', ':2606:4700::1', '2606:4700::1:', '2606:4700::g'],
  ...['1:2:3:4:5:6:7:8:9', '2606:4700::1]/[', '2606:4700::1.1.1', '2606:4700:12345::1', '::ffff:1.1.1.256'],
]

/** Each way to put an IPv4 address into an IPv6 one. */
const EMBEDDINGS: Record<string, (hexGroups: string, dotted: string) => string> = {
  'mapped, hexadecimal': (groups) => `::ffff:${groups}`,
  'mapped, dotted': (_groups, dotted) => `::ffff:${dotted}`,
  'mapped, in full': (_groups, dotted) => `0000:0000:0000:0000:0000:FFFF:${dotted}`,
  compatible: (_groups, dotted) => `::${dotted}`,
  translated: (groups) => `::ffff:0:${groups}`,
  'NAT64, hexadecimal': (groups) => `64:ff9b::${groups}`,
  'NAT64, dotted': (_groups, dotted) => `64:ff9b::${dotted}`,
  'local NAT64': (groups) => `64:ff9b:1::${groups}`,
  '6to4': (groups) => `2002:${groups}::1`,
  'Teredo server': (groups) => `2001:0:${groups}::1`,
  'link-local ISATAP': (groups) => `fe80::5efe:${groups}`,
}

describe('an address check without ranges of the operator', () => {
  const isPublicAddress = createAddressCheck({ allow: [] })

  it.each([...PRIVATE_IPV4, ...PRIVATE_IPV6])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([...PUBLIC_IPV4, ...PUBLIC_IPV6])('lets %s through', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(NOT_ADDRESSES)('refuses %j, which is not an address', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  it.each(
    Object.entries(EMBEDDINGS).flatMap(([kind, embed]) =>
      PRIVATE_IPV4.map((address) => ({ kind, address: embed(hexGroupsOf(address), address) })),
    ),
  )('refuses $address ($kind)', ({ address }) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('judges every IPv4 address like Node with the same ranges', () => {
    const special = blockListOf(SPECIAL_IPV4_RANGES, 'ipv4')
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(address)).toBe(!special.check(address, 'ipv4'))
      }),
      runs(2_000),
    )
  })

  it('judges every IPv6 address outside the embeddings like Node with the same ranges', () => {
    const special = blockListOf(SPECIAL_IPV6_RANGES, 'ipv6')
    const global = blockListOf(['2000::/3'], 'ipv6')
    const globalOrAny = fc.oneof(fc.ipV6(), globalIpv6())
    fc.assert(
      fc.property(globalOrAny, (address) => {
        fc.pre(!/^(::|0:|64:ff9b)/i.test(address))
        const expected = global.check(address, 'ipv6') && !special.check(address, 'ipv6')
        expect(isPublicAddress(address)).toBe(expected)
      }),
      runs(2_000),
    )
  })

  it('never lets a private IPv4 address through in any embedding', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...Object.values(EMBEDDINGS)), (address, embed) => {
        const embedded = embed(hexGroupsOf(address), address)
        expect(isPublicAddress(embedded) && !isPublicAddress(address)).toBe(false)
      }),
      runs(2_000),
    )
  })
})

describe('an address check with ranges of the operator', () => {
  it('allows public addresses and the ranges of the operator, and nothing else', () => {
    const isAllowed = createAddressCheck({ allow: ['127.0.0.0/8', 'fd00:1::/32', '10.0.0.7/32'] })
    const allowed = ['127.0.0.1', '127.9.9.9', '::ffff:127.0.0.1', 'fd00:1::5', '10.0.0.7', '8.8.8.8']
    expect(allowed.filter((address) => !isAllowed(address))).toEqual([])
    const refused = [
      '128.0.0',
      '::1',
      'fd00:2::5',
      '10.0.0.8',
      '169.254.169.254',
      '2002:7f00:1::',
      '::127.0.0.1',
    ]
    expect(refused.filter(isAllowed)).toEqual([])
  })

  it.each([
    '',
    'all',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    'fd00::%1/8',
  ])('reports %j as a mistake', (range) => {
    expect(() => createAddressCheck({ allow: [range] })).toThrow(TypeError)
  })
})

function hexGroupsOf(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function blockListOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', length] = range.split('/')
    list.addSubnet(network, Number(length), family)
  }
  return list
}

/** Mostly addresses at the edges of the ranges inside 2000::/3. */
function globalIpv6(): fc.Arbitrary<string> {
  const first = fc.constantFrom('2000', '2001', '2002', '2003', '2a00', '3ffe', '3fff')
  const second = fc.constantFrom('0', '1', '20', '1ff', '200', 'db7', 'db8', 'db9', 'fff', '1000', 'ffff')
  const rest = fc.array(fc.nat(0xffff), { minLength: 6, maxLength: 6 })
  return fc.tuple(first, second, rest).map(([one, two, groups]) => {
    return [one, two, ...groups.map((group) => group.toString(16))].join(':')
  })
}
