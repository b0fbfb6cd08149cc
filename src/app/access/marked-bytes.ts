import type { Secrets } from '../../ports/secrets.ts'

const RANDOM_BYTES = 20
const MARK_BYTES = 12

/**
 * Random bytes, then a mark of them that only this deployment can make. Each kind of key or token has its own prefix in
 * the marked text, so bytes of one kind are never valid for another.
 */
export function makeMarkedBytes(prefix: string, secrets: Secrets): Buffer {
  const random = secrets.randomBytes(RANDOM_BYTES)
  return Buffer.concat([random, secrets.mark(markedText(prefix, random), MARK_BYTES)])
}

export function areMarkedBytes(bytes: Uint8Array, prefix: string, secrets: Secrets): boolean {
  const text = markedText(prefix, bytes.subarray(0, RANDOM_BYTES))
  return secrets.isMark(bytes.subarray(RANDOM_BYTES), text)
}

function markedText(prefix: string, random: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(prefix), random])
}
