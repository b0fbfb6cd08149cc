import type { IncomingHttpHeaders } from 'node:http'
import type { VendorAError } from './error-reply.ts'

/** Any key is good but the one that is there to be refused. */
const REFUSED_KEY = 'bad-key'

export function authorise({ authorization = '' }: IncomingHttpHeaders): VendorAError | undefined {
  const key = /^Bearer (\S+)$/.exec(authorization)?.[1]
  if (key !== undefined && key !== REFUSED_KEY) return undefined
  return {
    status: 401,
    code: 'AuthenticationError',
    message: 'The API key or AK/SK in the request is missing or invalid.',
  }
}
