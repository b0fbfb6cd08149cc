import { type AddressRange, isInRange, readAddressRange } from './address-range.ts'
import { type IpAddress, readIpAddress } from './ip-address.ts'
import {
  GLOBAL_IPV6_RANGE,
  IPV4_IN_IPV6_RANGES,
  SPECIAL_IPV4_RANGES,
  SPECIAL_IPV6_RANGES,
} from './special-ranges.ts'

export type AddressCheck = (address: string) => boolean

/** Public addresses, and what the operator adds (`OUTBOUND_ALLOW`, as CIDRs); what cannot be read is neither. */
export function createAddressCheck({ allow }: { allow: readonly string[] }): AddressCheck {
  const allowed = allow.map(rangeOf)
  return (text) => {
    const address = readIpAddress(text)
    if (address === undefined) return false
    const meant = unwrapIpv4(address)
    return isPublic(meant) || isInAny(address, allowed) || isInAny(meant, allowed)
  }
}

/** An IPv4 address in IPv6 clothes is judged as what it is. */
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

const SPECIAL_IPV4 = SPECIAL_IPV4_RANGES.map(rangeOf)
const SPECIAL_IPV6 = SPECIAL_IPV6_RANGES.map(rangeOf)
const IPV4_IN_IPV6 = IPV4_IN_IPV6_RANGES.map(rangeOf)
const GLOBAL_IPV6 = rangeOf(GLOBAL_IPV6_RANGE)
