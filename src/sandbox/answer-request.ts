import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardControl } from './control/guard.ts'
import { answerControl, type Controlled, problem } from './control/routes.ts'
import { answerWithFault } from './faults/answer-with-fault.ts'
import { indexPage } from './index-page.ts'
import { matchRoute, type RouteMatch } from './match-route.ts'
import type { SandboxReply } from './part.ts'
import { readBody } from './read-body.ts'
import { sendReply } from './send-reply.ts'
import { showRequest } from './show-request.ts'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  signal: AbortSignal
}

/** Finds out who is meant, a vendor part or the sandbox itself, and answers in its name. */
export async function answerRequest(controlled: Controlled, exchange: Exchange): Promise<void> {
  const { request, response, signal } = exchange
  const url = URL.parse(request.url ?? '', 'http://sandbox')
  const method = request.method ?? ''
  const body = await readBody(request)
  if (url === null) return sendReply(response, problem(400, 'The request path is not valid.'), { signal })
  if (body === 'too-large') {
    response.setHeader('connection', 'close')
    return sendReply(response, problem(413, 'The body is too large.'), { signal })
  }

  const { pathname: path, searchParams: query } = url
  const match = matchRoute(controlled.parts, { method, path, query })
  if (match !== undefined) return answerAsVendor(controlled, exchange, { match, url, body })
  return sendReply(response, answerAsSandbox(controlled, request, { path, body }), { signal })
}

function answerAsSandbox(
  controlled: Controlled,
  request: IncomingMessage,
  { path, body }: { path: string; body: Buffer },
): SandboxReply {
  const method = request.method ?? ''
  if (path.startsWith('/_sandbox/')) {
    const refusal = guardControl(method, request.headers)
    if (refusal !== undefined) return refusal
    const reply = answerControl(controlled, { method, path, body })
    if (reply !== undefined) return reply
  }
  if (path === '/' && method === 'GET') return indexPage(controlled.parts)
  const at = new Date(controlled.clock.nowMs()).toISOString()
  controlled.requestLog.add({ at, method, path, part: null, operation: null, fault: null, status: 404 })
  return problem(404, 'No vendor part has this path; GET / lists them.')
}

async function answerAsVendor(
  controlled: Controlled,
  { request, response, signal }: Exchange,
  { match, url, body }: { match: RouteMatch; url: URL; body: Buffer },
): Promise<void> {
  const { clock, script, requestLog } = controlled
  const { part, route, params } = match
  const at = new Date(clock.nowMs()).toISOString()
  const rule = script.next({ part: part.name, operation: route.operation })
  const work = async () =>
    route.handle({
      params,
      query: url.searchParams,
      headers: request.headers,
      body,
      clock,
      url: `http://${request.socket.localAddress}:${request.socket.localPort}/${part.name}`,
      signal,
    })
  const entry = requestLog.add({
    at,
    method: route.method,
    path: url.pathname,
    part: part.name,
    operation: route.operation,
    fault: rule?.id ?? null,
    status: null,
    ...showRequest(route, { headers: request.headers, body }),
  })
  try {
    if (rule === undefined) await sendReply(response, await work(), { signal })
    else await answerWithFault(response, rule.fault, { work, signal })
  } finally {
    if (response.headersSent) entry.status = response.statusCode
  }
}
