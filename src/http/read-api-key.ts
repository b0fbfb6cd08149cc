import type { IncomingHttpHeaders } from 'node:http'
import type { Area } from './operation.ts'

const BEARER = /^bearer +(?=\S+$)/i

/**
 * The key a request presents, or undefined when it presents none or contradicts itself.
 * `x-api-key` counts on the text endpoints only: their clients send it, the others never do.
 */
export function readApiKey(headers: IncomingHttpHeaders, area: Area): string | undefined {
  const { authorization } = headers
  const header = area === 'messages' || area === 'responses' ? headers['x-api-key'] : undefined
  if (header === undefined) return authorization === undefined ? undefined : readBearer(authorization)
  if (typeof header !== 'string') return undefined
  if (authorization === undefined) return header
  return readBearer(authorization) === header ? header : undefined
}

function readBearer(authorization: string): string | undefined {
  const token = authorization.replace(BEARER, '')
  return token === authorization ? undefined : token
}
