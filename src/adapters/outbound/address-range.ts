import { type IpAddress, readIpAddress } from './ip-address.ts'

export interface AddressRange {
  bits: 32 | 128
  /** The leading bits every address of the range shares, as a number. */
  prefix: bigint
  prefixLength: number
}

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address; undefined for anything else. */
export function readAddressRange(text: string): AddressRange | undefined {
  const [addressText = '', lengthText, ...more] = text.trim().split('/')
  const address = readIpAddress(addressText)
  if (address === undefined || more.length > 0) return undefined
  if (lengthText !== undefined && !/^\d{1,3}$/.test(lengthText)) return undefined
  const prefixLength = lengthText === undefined ? address.bits : Number(lengthText)
  if (prefixLength > address.bits) return undefined
  return { bits: address.bits, prefix: leadingBits(address, prefixLength), prefixLength }
}

export function isInRange(address: IpAddress, range: AddressRange): boolean {
  return address.bits === range.bits && leadingBits(address, range.prefixLength) === range.prefix
}

function leadingBits(address: IpAddress, count: number): bigint {
  return address.value >> BigInt(address.bits - count)
}
