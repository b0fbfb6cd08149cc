import { describe, expect, it } from 'vitest'
import { createAddressCheck } from './address-check.ts'
import { checkHost, literalAddressOf } from './literal-address.ts'

const METADATA = '169.254.169.254'
const TARGETS = ['127.0.0.1', '10.1.2.3', METADATA, '192.168.0.1', '172.16.5.4', '100.64.0.9', '0.0.0.0']

/** Spellings of an IPv4 address that the URL standard allows. */
const SPELLINGS: Record<string, (bytes: Bytes) => string> = {
  dotted: (bytes) => bytes.join('.'),
  'with a final dot': (bytes) => `${bytes.join('.')}.`,
  'one decimal number': (bytes) => String(numberOf(bytes)),
  'one hexadecimal number': (bytes) => `0x${numberOf(bytes).toString(16)}`,
  'one hexadecimal number, shouted': (bytes) => `0X${numberOf(bytes).toString(16).toUpperCase()}`,
  'one padded hexadecimal number': (bytes) => `0x00000000${numberOf(bytes).toString(16)}`,
  'one octal number': (bytes) => `0${numberOf(bytes).toString(8)}`,
  'octal bytes': (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  'padded octal bytes': (bytes) => bytes.map((byte) => `000${byte.toString(8)}`).join('.'),
  'hexadecimal bytes': (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  'mixed bytes': ([a, b, c, d]) => `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
  'two parts': ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  'three parts': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  'hexadecimal and short': ([a, b, c, d]) =>
    `0x${a.toString(16)}.0x${(b * 65_536 + c * 256 + d).toString(16)}`,
  'percent-encoded': (bytes) => [...bytes.join('.')].map(percentEncoded).join(''),
  'percent-encoded dots': (bytes) => bytes.join('%2e'),
  'full-width digits': (bytes) => bytes.join('.').replace(/\d/g, fullWidth),
  'full-width stops': (bytes) => bytes.join('．'),
  'ideographic stops': (bytes) => bytes.join('。'),
  'half-width ideographic stops': (bytes) => bytes.join('｡'),
  'circled digits': (bytes) => bytes.join('.').replace(/[1-9]/g, circled),
  'with a soft hyphen': (bytes) => bytes.join('.').replace('.', '\u00ad.'),
  'with a tab inside': (bytes) => bytes.join('.').replace('.', '\t.'),
}

const IPV6_SPELLINGS: Record<string, (bytes: Bytes) => string> = {
  mapped: (bytes) => `[::ffff:${bytes.join('.')}]`,
  'mapped, shouted': (bytes) => `[::FFFF:${bytes.join('.')}]`,
  'mapped, in full': (bytes) => `[0:0:0:0:0:ffff:${bytes.join('.')}]`,
  'mapped, hexadecimal': ([a, b, c, d]) =>
    `[::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
  compatible: (bytes) => `[::${bytes.join('.')}]`,
  NAT64: (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  'local NAT64': (bytes) => `[64:ff9b:1::${bytes.join('.')}]`,
  '6to4': ([a, b, c, d]) => `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::]`,
}

const cases = (spellings: Record<string, (bytes: Bytes) => string>) =>
  TARGETS.flatMap((target) =>
    Object.entries(spellings).map(([kind, spell]) => ({ target, kind, host: spell(bytesOf(target)) })),
  )

describe('literal addresses', () => {
  it.each(cases(SPELLINGS))('reads $target from $host ($kind)', ({ target, host }) => {
    for (const url of [`https://${host}/x`, `https://${host}:8443/`, `https://user:pass@${host}/`]) {
      expect(literalAddressOf(new URL(url))).toBe(target)
    }
  })

  it.each([...cases(SPELLINGS), ...cases(IPV6_SPELLINGS)])('forbids $host ($kind)', ({ host }) => {
    expect(checkHost(new URL(`https://${host}/`), createAddressCheck({ allow: [] }))).toBe('forbidden')
  })

  it.each(['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[fe80::1]', '[fd00::1]', '[FD00:EC2::254]', '[ff02::1]'])(
    'forbids %s',
    (host) => {
      expect(checkHost(new URL(`https://${host}:444/`), createAddressCheck({ allow: [] }))).toBe('forbidden')
    },
  )

  it('reads the host of a scheme that the URL parser does not normalise', () => {
    expect(literalAddressOf(new URL('asset://0x7f.1/x'))).toBe('127.0.0.1')
    expect(literalAddressOf(new URL('asset://2130706433'))).toBe('127.0.0.1')
  })

  it.each([
    'example.com',
    'localhost',
    '127.0.0.1.example.com',
    '1.2.3.4.nip.io',
    'xn--bcher-kva.example',
    'a0x7f',
  ])('treats %s as a name, which only the connect step can judge', (host) => {
    expect(checkHost(new URL(`https://${host}/`), createAddressCheck({ allow: [] }))).toBe('name')
  })

  it.each([
    '256.1.1.1',
    '1.2.3.4.5',
    '0x100000000',
    '127.0.0.0x100',
    '[::1%25lo]',
    '[1::2::3]',
    '127.0.0.1%00',
  ])('needs no rule for %s, which cannot be the host of a URL', (host) => {
    expect(URL.canParse(`https://${host}/`)).toBe(false)
  })

  it('allows public addresses, and those of the operator', () => {
    const isAllowed = createAddressCheck({ allow: ['127.0.0.0/8'] })
    for (const host of ['8.8.8.8', '134744072', '[2606:4700::1111]', '127.1', '[::ffff:127.0.0.1]']) {
      expect(checkHost(new URL(`https://${host}/`), isAllowed)).toBe('allowed')
    }
    expect(checkHost(new URL(`https://${METADATA}/`), isAllowed)).toBe('forbidden')
  })
})

type Bytes = readonly [number, number, number, number]

function bytesOf(address: string): Bytes {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a, b, c, d]
}

function numberOf([a, b, c, d]: Bytes): number {
  return ((a * 256 + b) * 256 + c) * 256 + d
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

function fullWidth(digit: string): string {
  return String.fromCodePoint(0xff10 + Number(digit))
}

function circled(digit: string): string {
  return String.fromCodePoint(0x245f + Number(digit))
}
