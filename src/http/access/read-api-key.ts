import type { IncomingMessage } from 'node:http'
import { isTextEndpoint } from '../../domain/catalog/dialects.ts'
import type { Area } from '../operation.ts'

const BEARER = /^bearer +(?=\S+$)/i

/**
 * The key a request presents, or undefined when it presents none, contradicts itself or says it twice: Node keeps the
 * first of two `Authorization` headers, a proxy in front perhaps the second.
 * `x-api-key` counts on the text endpoints only: their clients send it, the others never do.
 */
export function readApiKey(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  area: Area,
): string | undefined {
  const { authorization } = headers
  const header = isTextEndpoint(area) ? headers['x-api-key'] : undefined
  if (header === undefined)
    return authorization === undefined ? undefined : readOnly(authorization, rawHeaders)
  // Node joins two of them with a comma, which no key has.
  if (typeof header !== 'string') return undefined
  if (authorization === undefined) return header
  return readOnly(authorization, rawHeaders) === header ? header : undefined
}

/** The token of the only `Authorization` header. */
function readOnly(authorization: string, rawHeaders: readonly string[]): string | undefined {
  const token = authorization.replace(BEARER, '')
  return token === authorization || comesTwice(rawHeaders) ? undefined : token
}

const NAME = 'authorization'

function comesTwice(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === NAME.length && name.toLowerCase() === NAME) count += 1
  }
  return count > 1
}
