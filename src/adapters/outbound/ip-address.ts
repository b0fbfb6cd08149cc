/** An address as a number, so that ranges are plain arithmetic. */
export interface IpAddress {
  bits: 32 | 128
  value: bigint
}

/**
 * Reads only the spellings a resolver or a URL parser writes. Octal, hexadecimal, short and scoped forms are
 * undefined: systems disagree on what they mean, and a doubt must not become a connection.
 */
export function readIpAddress(text: string): IpAddress | undefined {
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
