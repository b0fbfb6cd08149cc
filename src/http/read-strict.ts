import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../domain/refusal.ts'

export const STRICT_HEADER = 'x-sluice-strict'

/** Whoever asks for strictness in a way that we do not understand must not lose something for it. */
export function readStrict(headers: IncomingHttpHeaders): boolean {
  const value = headers[STRICT_HEADER]
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new Refusal('invalid_parameter', {
    param: STRICT_HEADER,
    message: `The header ${STRICT_HEADER} must be true or false.`,
  })
}
