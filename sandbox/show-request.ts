import type { IncomingHttpHeaders } from 'node:http'
import type { SandboxRoute } from './part.ts'
import type { LoggedRequest } from './request-log.ts'

const BODY_BYTES_MAX = 32_768

/** What the log may keep of a request beside its path. */
export function showRequest(
  { logged }: SandboxRoute,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Pick<LoggedRequest, 'headers' | 'body'> {
  if (logged === undefined) return {}
  const shown = logged.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return { headers: Object.fromEntries(shown), body: body.subarray(0, BODY_BYTES_MAX).toString() }
}
