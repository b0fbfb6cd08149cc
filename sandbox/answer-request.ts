import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { answerControl, CONTROL_ROUTES, type Controlled, problem } from './control/routes.ts'
import type { Fault } from './faults/fault.ts'
import { matchRoute, type RouteMatch } from './match-route.ts'
import { jsonReply, type SandboxPart, type SandboxReply, type SandboxRoute } from './part.ts'
import type { LoggedRequest } from './request-log.ts'
import { sendReply } from './send-reply.ts'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  signal: AbortSignal
}

/** Finds the vendor part, or the sandbox itself, that a request is for, and answers in its name. */
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
  const { clock, script, requestLog, linkPort = request.socket.localPort } = controlled
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
      url: `http://${request.socket.localAddress}:${linkPort}/${part.name}`,
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

/** Above the largest body that the gateway forwards. */
const BODY_BYTES_MAX = 64 * 1024 * 1024

async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large'> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The rest of a body that is too large stays unread, but the connection must live to carry the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return 'too-large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The control API asks for no key, so a web page in the developer's browser must not be able to use it: a page can
 * neither send JSON to another origin without asking first, nor make a foreign name look like loopback.
 */
function guardControl(method: string, headers: IncomingHttpHeaders): SandboxReply | undefined {
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

/** Describes this server to a reader who found its port by chance. */
function indexPage(parts: readonly SandboxPart[]): SandboxReply {
  return jsonReply(200, {
    what: 'The Sluice sandbox: simulated vendors, so that every ending can be tried without an account.',
    documentation: 'docs/sandbox.md',
    control: CONTROL_ROUTES.map(({ method, path, summary }) => ({ method, path, summary })),
    parts: parts.map(({ name, routes }) => ({
      name,
      operations: routes.map(({ operation, method, path }) => ({
        operation,
        method,
        path: `/${name}${path}`,
      })),
    })),
  })
}

/** Neither JSON nor UTF-8, whatever the header says. */
const GARBAGE = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x00, 0x3c, 0x68, 0x74, 0x6d, 0x6c, 0x3e, 0xc3, 0x28])

/** Answers one request with the fault; `work` is the vendor's own work. */
async function answerWithFault(
  response: ServerResponse,
  fault: Fault,
  { work, signal }: { work: () => Promise<SandboxReply>; signal: AbortSignal },
): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return sendReply(response, refusal(fault), { signal })
    case 'delay':
      await wait(fault.ms, undefined, { signal })
      return sendReply(response, await work(), { signal })
    case 'hang':
      if (!signal.aborted) await once(signal, 'abort')
      return
    case 'lose-answer':
      await work()
      response.destroy()
      return
    case 'cut':
      return sendReply(response, await work(), { signal, shape: { cutAfterBytes: fault.afterBytes } })
    case 'garbage': {
      await work()
      const headers = { 'content-type': 'application/json' }
      return sendReply(response, { status: 200, headers, body: GARBAGE }, { signal })
    }
    case 'drip':
      return sendReply(response, await work(), { signal, shape: { bytesPerSecond: fault.bytesPerSecond } })
  }
}

function refusal({ status, body, headers }: Extract<Fault, { kind: 'status' }>): SandboxReply {
  if (typeof body === 'string') {
    return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body }
  }
  return jsonReply(status, body ?? { error: { message: 'scripted fault' } }, headers)
}

const LOGGED_BYTES_MAX = 32_768

/** Parts of a request beside its path that the log may keep. */
function showRequest(
  { logged }: SandboxRoute,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Pick<LoggedRequest, 'headers' | 'body'> {
  if (logged === undefined) return {}
  const shown = logged.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return { headers: Object.fromEntries(shown), body: body.subarray(0, LOGGED_BYTES_MAX).toString() }
}
