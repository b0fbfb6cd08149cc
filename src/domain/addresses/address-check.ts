export type AddressCheck = (address: string) => boolean

/** Allows public addresses, and those that the operator adds (`OUTBOUND_ALLOW`, as CIDRs). Refuses an unreadable address. */
export function createAddressCheck({ allow }: { allow: readonly string[] }): AddressCheck {
  const allowed = allow.map(rangeOf)
  return (text) => {
    const address = readIpAddress(text)
    if (address === undefined) return false
    const unwrapped = unwrapIpv4(address)
    return isPublic(unwrapped) || isInAny(address, allowed) || isInAny(unwrapped, allowed)
  }
}

/** An IPv4 address inside an IPv6 address is checked as IPv4. */
function unwrapIpv4(address: IpAddress): IpAddress {
  return isInAny(address, IPV4_IN_IPV6) ? { bits: 32, value: address.value & 0xffff_ffffn } : address
}

function isPublic(address: IpAddress): boolean {
  return address.bits === 32
    ? !isInAny(address, SPECIAL_IPV4)
    : isInRange(address, GLOBAL_IPV6) && !isInAny(address, SPECIAL_IPV6)
}

function isInAny(address: IpAddress, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isInRange(address, range))
}

function rangeOf(text: string): AddressRange {
  const range = readAddressRange(text)
  if (range === undefined) throw new TypeError(`"${text}" is neither an IP address nor a CIDR range`)
  return range
}

interface AddressRange {
  bits: 32 | 128
  /** The leading bits that all addresses of the range have, as a number. */
  prefix: bigint
  prefixLength: number
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. */
function readAddressRange(text: string): AddressRange | undefined {
  const [addressText = '', lengthText, ...more] = text.trim().split('/')
  const address = readIpAddress(addressText)
  if (address === undefined || more.length > 0) return undefined
  if (lengthText !== undefined && !/^\d{1,3}$/.test(lengthText)) return undefined
  const prefixLength = lengthText === undefined ? address.bits : Number(lengthText)
  if (prefixLength > address.bits) return undefined
  return { bits: address.bits, prefix: leadingBits(address, prefixLength), prefixLength }
}

function isInRange(address: IpAddress, range: AddressRange): boolean {
  return address.bits === range.bits && leadingBits(address, range.prefixLength) === range.prefix
}

function leadingBits(address: IpAddress, count: number): bigint {
  return address.value >> BigInt(address.bits - count)
}

/** IPv4 ranges that no client's URL may lead to: the IANA special-purpose registry and addresses of cloud services. */
export const SPECIAL_IPV4_RANGES = [
  '0.0.0.0/8', // this network; 0.0.0.0 reaches loopback on Linux
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; some clouds keep their metadata service here
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent, at a public address
  '169.254.0.0/16', // link-local; most metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
] as const

/** The only IPv6 block that is assigned to the public internet. */
const GLOBAL_IPV6_RANGE = '2000::/3'

/** Ranges within 2000::/3 without public hosts, or with embedded IPv4 addresses to which the network would forward. */
export const SPECIAL_IPV6_RANGES = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
] as const

/** IPv6 spellings of an IPv4 address: mapped, and the NAT64 prefix by which IPv6-only networks reach the IPv4 internet. */
const IPV4_IN_IPV6_RANGES = ['::ffff:0:0/96', '64:ff9b::/96'] as const

const SPECIAL_IPV4 = SPECIAL_IPV4_RANGES.map(rangeOf)
const SPECIAL_IPV6 = SPECIAL_IPV6_RANGES.map(rangeOf)
const IPV4_IN_IPV6 = IPV4_IN_IPV6_RANGES.map(rangeOf)
const GLOBAL_IPV6 = rangeOf(GLOBAL_IPV6_RANGE)

/** An address as a number, so that ranges are plain arithmetic. */
interface IpAddress {
  bits: 32 | 128
  value: bigint
}

/**
 * Reads only the spellings that a resolver or a URL parser writes. Returns undefined for octal, hexadecimal, short and
 * scoped forms, because systems disagree about their meaning and doubt must not lead to a connection.
 */
function readIpAddress(text: string): IpAddress | undefined {
  return readIpv4(text) ?? readIpv6(text)
}

function readIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(isDecimalByte)) return undefined
  return { bits: 32, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) }
}

function isDecimalByte(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

/** The URL parser knows every legal spelling and writes each address in one way. */
function readIpv6(text: string): IpAddress | undefined {
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined
  const bracketed = URL.parse(`http://[${text}]`)?.hostname
  if (bracketed === undefined) return undefined
  const [head = '', tail] = bracketed.slice(1, -1).split('::')
  const groupsBefore = readGroups(head)
  const groupsAfter = readGroups(tail ?? '')
  const zeros = Array<bigint>(8 - groupsBefore.length - groupsAfter.length).fill(0n)
  const groups = [...groupsBefore, ...zeros, ...groupsAfter]
  return { bits: 128, value: groups.reduce((value, group) => value * 65_536n + group, 0n) }
}

function readGroups(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`))
}
