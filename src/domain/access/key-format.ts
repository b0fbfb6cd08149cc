/** Different prefixes keep keys of clients, tokens of operators, cookies and links of the console apart. */
const KEY_START = 'sk-sluice-'
export const TOKEN_START = 'op-sluice-'
export const SESSION_START = 'se-sluice-'
export const LINK_START = 'li-sluice-'

export type TokenStart = typeof TOKEN_START | typeof SESSION_START | typeof LINK_START

type KeyStart = typeof KEY_START | TokenStart

const BODY_BYTES = 32
const CHECKSUM_BYTES = 4
const BODY_SHAPE = /^[A-Za-z0-9_-]{48}$/
const START_LENGTH = KEY_START.length
const PREFIX_LENGTH = START_LENGTH + 6

/** 32 bytes and their checksum are 36 bytes: exactly 48 characters of base64url, so each key has one spelling. */
export function formatKey(bytes: Uint8Array, start: KeyStart = KEY_START): string {
  if (bytes.length !== BODY_BYTES) throw new RangeError(`a key takes ${BODY_BYTES} bytes`)
  const body = Buffer.alloc(BODY_BYTES + CHECKSUM_BYTES)
  body.set(bytes)
  body.writeUInt32BE(checksum(bytes), BODY_BYTES)
  return start + body.toString('base64url')
}

export function keyBytes(key: string): Uint8Array {
  return bodyOf(key).subarray(0, BODY_BYTES)
}

/** Checks shape and checksum, which refuses mistyped and made-up keys without a digest or a query. */
export function isWellFormedKey(text: string, start: KeyStart = KEY_START): boolean {
  return text.startsWith(start) && BODY_SHAPE.test(text.slice(START_LENGTH)) && hasChecksum(text)
}

function hasChecksum(key: string): boolean {
  const body = bodyOf(key)
  return body.readUInt32BE(BODY_BYTES) === checksum(body.subarray(0, BODY_BYTES))
}

function bodyOf(key: string): Buffer {
  return Buffer.from(key.slice(START_LENGTH), 'base64url')
}

export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}

/** CRC-32 (IEEE) finds typing mistakes; it is not a secret and proves nothing. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
