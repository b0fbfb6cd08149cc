import type { IncomingHttpHeaders } from 'node:http'
import { invalidParameter } from '../../domain/api-error.ts'

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
const KEY = /^[\x20-\x7e]+$/

/** Returns undefined without the header. An invalid key is refused, never ignored. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && key.length <= IDEMPOTENCY_KEY_LENGTH_MAX && KEY.test(key)) return key
  throw invalidParameter(
    'Idempotency-Key',
    `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters.`,
  )
}
