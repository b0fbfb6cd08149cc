/**
 * Addresses of every kind of range that the gateway must not connect to. In a network namespace a canary listens on
 * each.
 */
export const CANARIES_V4 = [
  ...['127.0.0.1', '127.8.9.10', '10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254'],
  ...['192.168.0.1', '192.168.255.254', '169.254.169.254', '169.254.170.2', '100.64.0.1', '100.100.100.200'],
  ...['192.0.0.8', '198.18.0.1', '198.51.100.7', '203.0.113.7', '192.0.2.7', '240.0.0.1'],
] as const

export const CANARIES_V6 = [
  ...['::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', '100::1', '2001:db8::1', '64:ff9b:1::1', '5f00::1'],
] as const

/** A foreign server that may be reached; it redirects to forbidden addresses. */
export const STRANGER = { name: 'callback.test', address: '93.184.215.14' } as const

const NOWHERE_V4 = ['0.0.0.0', '0.1.2.3', '224.0.0.1', '255.255.255.255']

/** Names of the namespace's DNS server with their answers in turn: a canary, several, or changing addresses. */
export const NAMES: Readonly<Record<string, readonly string[][]>> = Object.fromEntries([
  ...CANARIES_V4.map((address, number) => [`fixed-${number}.canary.test`, [[address]]]),
  ...CANARIES_V4.map((address, number) => [
    `changing-${number}.canary.test`,
    [[STRANGER.address], [address]],
  ]),
  ...CANARIES_V4.map((address, number) => [`late-${number}.canary.test`, [[address], [STRANGER.address]]]),
  ...CANARIES_V4.map((address, number) => [
    `several-${number}.canary.test`,
    [[address, '10.0.0.1', '127.0.0.1']],
  ]),
  ['metadata.google.internal', [['169.254.169.254']]],
  ['localhost.canary.test', [['127.0.0.1']]],
  [STRANGER.name, [[STRANGER.address]]],
])

const HOSTS = Object.keys(NAMES).filter((name) => name !== STRANGER.name)

/** At least 500 spellings of places that must not be reached. */
export function forbiddenUrls(): string[] {
  const literal = [...CANARIES_V4, ...NOWHERE_V4].flatMap(spellingsOfV4)
  const v6 = CANARIES_V6.flatMap((address) => [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${address.replace('::', ':0::')}]`,
  ])
  const named = [...HOSTS, ...HOSTS.slice(0, 20).map((name) => `${name.toUpperCase()}.`)]
  const plain = [...literal, ...v6, '[::]', '[fe80::1]', '[ff02::1]', 'localhost', 'a.localhost', ...named]
  return [
    ...plain.map((host) => `https://${host}/`),
    ...CANARIES_V4.flatMap((address) => [
      `https://${address}:8443/latest/meta-data`,
      `http://${address}/`,
      `https://${STRANGER.name}@${address}/`,
      `https://${address}\\@${STRANGER.name}/`,
      `https://${address}#@${STRANGER.name}/`,
    ]),
  ]
}

function spellingsOfV4(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
  const groups = `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0x${hex(part)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    address.replaceAll('.', '。'),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '%2e'),
    `[::ffff:${address}]`,
    `[::FFFF:${groups}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::]`,
    `[2001:0:${groups}::]`,
    `[::ffff:0:${address}]`,
  ]
}
