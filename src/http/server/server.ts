import { createServer as createNodeServer, type IncomingMessage, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { BodyLog } from '../../app/requests/record-bodies.ts'
import type { NoteRefusal } from '../../app/requests/refusal-log.ts'
import { createBodyTurns } from '../../app/waiting/body-turns.ts'
import { createTimeBook } from '../../app/waiting/time-book.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Holders } from '../../ports/holders.ts'
import type { FinishedRequest, LogRequest } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { NewId } from '../../ports/secrets.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import type { AdminAccess } from '../admin/admin-key-check.ts'
import { type BodyGauge, type BodyLimits, createBodyGauge } from '../body/body-gauge.ts'
import { createBodyWatch } from '../body/body-rate.ts'
import { holderOf } from '../body/json-body.ts'
import { openDoor } from '../door/open-door.ts'
import type { EdgeReply } from '../edge-reply.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { errorAnswerer } from '../errors/answer-errors.ts'
import { createLoadGauge, type LoadGauge, type LoadLimits } from '../limits/load-gauge.ts'
import { watchLag } from '../limits/shed-load.ts'
import type { HandlerParts, Operation } from '../operation.ts'
import type { RawReply } from '../raw.ts'
import { OPERATIONS } from '../routes.ts'
import { createIsSocketRequest, type SocketTimes, watchSockets } from '../sockets/accept-sockets.ts'
import type { Connection } from '../sockets/connection.ts'
import type { Step } from '../step.ts'
import { afterSettlement } from './after-settlement.ts'
import { faultInHead, HEADER_BYTES_MAX, TARGET_BYTES_MAX } from './check-request-head.ts'
import { answerRaw, clientErrorAnswerer, type RawParts } from './client-errors.ts'
import type { Cors } from './cors.ts'
import { closeBusyConnections } from './draining.ts'
import { type Forwarded, readForwarded } from './forwarded.ts'
import { LargeReplies } from './large-replies.ts'
import { type HttpServer, listenOn } from './listen.ts'
import { CLIENT_CLOSED_REQUEST, rawStatusOf, responseOn } from './raw-answers.ts'
import { refusalsOf } from './refusals-of.ts'
import { routeOperations, UPGRADE } from './route-operations.ts'
import { afterAnswers, serveInOrder } from './serve-in-order.ts'
import type { traceRequests } from './trace-requests.ts'

export interface ServerParts extends Omit<HandlerParts, 'admin' | 'forwarded'> {
  logRequest: LogRequest
  /** Keeps refused requests for the request log. Left out: none are kept. */
  noteRefusal?: NoteRefusal
  /** Left out: no bodies are recorded. */
  bodyLog?: BodyLog
  newId: NewId
  /** Default: turns of this server alone. */
  turns?: BodyTurns
  /** Names the organization of each request to the database. Undefined: no database divides connections by it. */
  holders?: Holders | undefined
  /** Undefined: every admin route is 404. */
  admin?: AdminAccess | undefined
  /** Default: there is no proxy. */
  forwarded?: Forwarded
  /** Undefined: no response has CORS headers. */
  cors?: Cors | undefined
  operations?: readonly Operation[]
  /** Default: the values of `acceptSockets`. */
  sockets?: SocketTimes
  limits: EdgeLimits
  timeouts: EdgeTimeouts
  /** Whether requests of hot operations are read in front of Node's server. */
  fastDoor: boolean
  /** Given only when tracing is on. */
  traceRequests?: typeof traceRequests
}

export interface EdgeLimits extends LoadLimits, BodyLimits {
  /** Minimum rate of a body in bytes per second, after its first seconds. */
  bodyRateMin: number
  /** Replaces the body limit of the text endpoints. */
  textBodyBytesMax: number | undefined
}

export interface EdgeTimeouts {
  headersMs: number
  /** Limit for the whole request with its body; a response has no limit. */
  requestMs: number
  /** Time that a connection may be idle between two requests: longer than load balancers keep theirs. */
  keepAliveMs: number
}

/** Maximum delay in detecting that a head, a request or an idle connection has timed out. */
const CHECK_EVERY_MS_MAX = 5_000

export function createServer({ operations = OPERATIONS, ...parts }: ServerParts): HttpServer {
  const { admin, limits, clock, drain } = parts
  const { lagMsMax, textBodyBytesMax, bodyRateMin } = limits
  const turns = parts.turns ?? createBodyTurns(clock, createTimeBook({ clock, lagMsMax }))
  const { book } = turns
  const load = createLoadGauge(limits, turns)
  const bodies = createBodyGauge(parts.limits)
  parts.metrics.watchBodies(() => bodies.bytes)
  parts.metrics.watchInFlight(() => load.inFlight)
  const watch = createBodyWatch({ clock, bodyRateMin })
  const forwarded = parts.forwarded ?? readForwarded([])
  const largeReplies = new LargeReplies({ bytesEachMax: limits.bodyBytesEachMax, log: parts.log, clock })
  const count = requestCounter({ ...parts, load, bodies, book })
  const connections = new Set<Connection>()
  const stepParts = {
    ...parts,
    ...{ load, bodies, largeReplies, turns, watch, admin, forwarded, textBodyBytesMax, connections },
    tracing: parts.traceRequests?.(),
    answerError: errorAnswerer(parts.log, operations),
    enter(operationId: string | undefined, errorBefore?: ApiError): Step {
      return (request, reply, done) => {
        count(request, reply)
        if (isLastOnConnection(request)) reply.raw.shouldKeepAlive = false
        const apiError = errorBefore ?? faultInHead(request)
        if (apiError === undefined) request.operationId = operationId
        done(apiError)
      }
    },
  }
  const offered = operations.filter(({ isOffered }) => isOffered?.(stepParts) ?? true)
  const dispatch = routeOperations(offered, stepParts)
  const asksForSocket = createIsSocketRequest(offered)
  const server = createNodeServer(nodeOptions(parts.timeouts, asksForSocket))
  const serve = serveInOrder(dispatch)
  server.on('request', serve)
  // Node answers these two by itself without a listener; both are ordinary requests here.
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  server.on('clientError', clientErrorAnswerer(parts))
  answerConnect(server, parts)
  server.on('upgrade', (raw, socket, head) => {
    socket.on('error', () => socket.destroy())
    // The server's sockets are always TCP sockets.
    if (!(socket instanceof Socket)) return void socket.destroy()
    if (head.length > 0) socket.unshift(head)
    // Node before 24.9 ignores `shouldUpgradeCallback`, so every upgrade comes here.
    const method = asksForSocket(raw) ? UPGRADE : raw.method
    afterAnswers(socket, () => dispatch(raw, responseOn(socket, raw), method))
  })
  const door = parts.fastDoor
    ? openDoor({
        ...{ server, operations: offered, clock, timeouts: parts.timeouts },
        checkEveryMs: checkEveryMs(parts.timeouts),
        serve: dispatch,
        isLeaving: () => drain.draining || !server.listening,
      })
    : undefined
  closeBusyConnections(server, drain)
  const ends = [watchLag({ book, clock }), watchSockets({ ...parts, connections })]
  return listenOn(server, {
    door,
    onClose() {
      for (const end of ends) end()
    },
  })

  /** The parser loses bytes after an upgrade request, so its connection ends too. */
  function isLastOnConnection({ raw }: EdgeRequest): boolean {
    return drain.draining || raw.headers.upgrade !== undefined || !server.listening
  }
}

function checkEveryMs({ headersMs }: EdgeTimeouts): number {
  return Math.min(headersMs, CHECK_EVERY_MS_MAX)
}

function nodeOptions(timeouts: EdgeTimeouts, shouldUpgradeCallback: (raw: IncomingMessage) => boolean) {
  const { headersMs, requestMs, keepAliveMs } = timeouts
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkEveryMs(timeouts),
    // Large enough for both limits: the gateway checks each of them, and the parser refuses anything larger.
    maxHeaderSize: TARGET_BYTES_MAX + HEADER_BYTES_MAX,
    // The gateway refuses a missing `Host` in its own envelope.
    requireHostHeader: false,
    optimizeEmptyRequests: true,
    shouldUpgradeCallback,
  }
}

/** CONNECT requests a tunnel. Node passes on the bare socket, and without a listener closes it. */
function answerConnect(server: Server, parts: RawParts): void {
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const apiError = new ApiError('method_not_allowed')
    const headers = { allow: 'GET, HEAD, POST, DELETE' }
    const refused = { apiError, head: request, reason: 'CONNECT', headers }
    afterAnswers(request.socket, () => answerRaw(socket, refused, parts))
  })
}

interface CountingParts {
  metrics: Metrics
  logRequest: LogRequest
  noteRefusal?: NoteRefusal
  clock: Clock
  load: LoadGauge
  bodies: BodyGauge
  book: TimeBook
}

/** Counts a request from here to the end of its response: `close` follows every end, `finish` does not. */
function requestCounter(input: CountingParts): (request: EdgeRequest, reply: EdgeReply) => void {
  const { metrics, logRequest, noteRefusal, clock, load, bodies, book } = input
  const note = noteRefusal === undefined ? undefined : refusalsOf(noteRefusal)
  return (request, reply) => {
    const beganMs = clock.monotonicMs()
    reply.raw.on('close', () => {
      const caller: Caller | undefined = request.caller
      const holder = holderOf(request)
      book.begin(holder)
      if (request.isInFlight) load.end(holder)
      if (request.heldBytes > 0) bodies.give(holder, request.heldBytes)
      const finished: FinishedRequest = {
        requestId: request.id,
        operation: request.operationId ?? 'unknown',
        method: request.method,
        status: statusOf(reply.raw),
        durationMs: clock.monotonicMs() - beganMs,
        organizationId: caller?.organizationId,
        keyId: caller?.keyId,
        userId: caller?.userId,
        code: request.errorCode,
        servedBy: request.servedBy,
        usage: undefined,
      }
      metrics.requestFinished(finished)
      if (finished.status >= 400) note?.(finished, request)
      afterSettlement(request, () => {
        finished.usage = request.textUsage
        request.recording?.end(finished.status >= 400 || finished.usage?.outcome === 'failed')
        logRequest(finished)
      })
    })
  }
}

function statusOf(response: RawReply): number {
  return response.headersSent ? response.statusCode : (rawStatusOf(response) ?? CLIENT_CLOSED_REQUEST)
}
