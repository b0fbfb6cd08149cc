import type { IncomingHttpHeaders } from 'node:http'
import type { SandboxReply } from '../part.ts'
import { problem } from './routes.ts'

/**
 * The control API asks for no key, so a web page in the developer's browser must not be able to use it: a page can
 * neither send JSON to another origin without asking first, nor make a foreign name look like loopback.
 */
export function guardControl(method: string, headers: IncomingHttpHeaders): SandboxReply | undefined {
  const { hostname } = URL.parse(`http://${headers.host ?? ''}`) ?? { hostname: '' }
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    return problem(403, 'The control API answers on loopback names only.')
  }
  if (headers.origin !== undefined) return problem(403, 'The control API does not answer to web pages.')
  if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return problem(415, 'Send the body with content-type: application/json.')
  }
  return undefined
}
