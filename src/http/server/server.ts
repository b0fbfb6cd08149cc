import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FastifyInstance, type FastifyReply, fastify, LogController } from 'fastify'
import type { App } from '../../app/app.ts'
import { createBodyTurns } from '../../app/waiting/body-turns.ts'
import type { Caller } from '../../domain/access/api-key.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ConsoleFiles } from '../../ports/console-files.ts'
import type { FinishedRequest, Log, LogRequest } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { NewId } from '../../ports/secrets.ts'
import type { AdminDoor } from '../admin/admin-key-check.ts'
import { type BodyGauge, type BodyLimits, createBodyGauge } from '../body/body-gauge.ts'
import { createBodyWatch } from '../body/body-rate.ts'
import { holderOf } from '../body/json-body.ts'
import type { EdgeReply, EdgeRequest, Step } from '../edge-request.ts'
import { answerErrors, errorAnswerer } from '../errors/answer-errors.ts'
import { createLoadGauge, type LoadGauge, type LoadLimits } from '../limits/load-gauge.ts'
import { watchLag } from '../limits/shed-load.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../routes.ts'
import type { VersionRule } from '../schema/read-version.ts'
import { openSockets, type SocketTimes, socketAsker } from '../sockets/open-sockets.ts'
import { afterSettlement } from './after-settlement.ts'
import { faultInHead, HEADER_BYTES_MAX, TARGET_BYTES_MAX, takeEveryRequest } from './check-request-head.ts'
import { answerRaw, clientErrorAnswerer, type RawParts } from './client-errors.ts'
import { closeBusyConnections, type DrainState } from './draining.ts'
import { type Forwarded, readForwarded } from './forwarded.ts'
import { registerOperations } from './register-operations.ts'
import { nameRequest } from './request-id.ts'
import { CLIENT_CLOSED_REQUEST, rawStatusOf } from './response-sink.ts'
import { afterAnswers, serveInOrder } from './serve-in-order.ts'
import { restoreMethod, shareMethod } from './shared-method.ts'
import { shortWay } from './short-way.ts'
import type { traceRequests } from './trace-requests.ts'

export type HttpServer = FastifyInstance

export interface ServerParts extends VersionRule {
  app: App
  metrics: Metrics
  log: Log
  logRequest: LogRequest
  newId: NewId
  clock: Clock
  drain: DrainState
  /** Left out: one of its own. */
  load?: LoadGauge
  /** Left out: costly bodies take turns among themselves. */
  turns?: BodyTurns
  /** Left out: every admin route is 404. */
  admin?: AdminDoor | undefined
  /** Left out: there is no proxy. */
  forwarded?: Forwarded
  /** Left out: the console was not built. */
  consoleFiles?: ConsoleFiles | undefined
  operations?: readonly Operation[]
  /** `framework`: without the short way, so that tests can hold the two to each other. */
  ways?: 'both' | 'framework'
  /** Left out: as `openSockets` has them. */
  sockets?: SocketTimes
  limits: EdgeLimits
  timeouts: EdgeTimeouts
  /** Given only when tracing is on. */
  traceRequests?: typeof traceRequests
}

export interface EdgeLimits extends LoadLimits, BodyLimits {
  /** Bytes a second at which a body has to come, after its first seconds. */
  bodyRateMin: number
  /** Replaces the body limit of the text endpoints. */
  textBodyBytesMax: number | undefined
}

export interface EdgeTimeouts {
  /** For the whole head of a request. */
  headersMs: number
  /** For the whole request with its body; an answer may take as long as it likes. */
  requestMs: number
  /** How long a connection may rest between two requests: longer than load balancers keep theirs. */
  keepAliveMs: number
}

/** How late the first two timeouts may be noticed. */
const CHECK_EVERY_MS_MAX = 5_000

/** Our operations parse for themselves. With these in place Fastify does not load its compilers, some 100 modules. */
const refuseSchemas = () => () => {
  throw new Error('schemas are not given to Fastify here')
}
const NO_SCHEMAS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas }

/** The whole HTTP edge, ready to listen. */
export function createServer({ operations = OPERATIONS, ways = 'both', ...parts }: ServerParts): HttpServer {
  const load = parts.load ?? createLoadGauge(parts.limits)
  const bodies = createBodyGauge(parts.limits)
  parts.metrics.watchBodies(() => bodies.bytes)
  parts.metrics.watchInFlight(() => load.inFlight)
  const count = requestCounter({ ...parts, load, bodies })
  const answerError = errorAnswerer(parts.log, operations)
  const { drain } = parts
  const server = fastify({
    ...nodeOptions(parts.timeouts, socketAsker(operations)),
    genReqId: () => parts.newId('req'),
    // The framework calls this before it routes, on each address that it listens to.
    rewriteUrl: (raw) => {
      shareMethod(raw)
      return raw.url ?? ''
    },
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: NO_SCHEMAS },
    // While it closes, Fastify would answer 503 by itself, without our envelope.
    return503OnClosing: false,
    // An id may be as long as an address: that there is no such thing is for its operation to say.
    routerOptions: { maxParamLength: TARGET_BYTES_MAX },
    clientErrorHandler: clientErrorAnswerer(parts),
    // What has no route has no hooks either.
    frameworkErrors: (error, request, reply: FastifyReply) => {
      restoreMethod(request.raw)
      nameRequest(request, reply)
      count(request, reply)
      answerError(error, request, reply)
    },
  })

  server.decorateRequest('caller')
  server.decorateRequest('admin')
  server.decorateRequest('operationId')
  server.decorateRequest('bodyBytes')
  server.decorateRequest('isHeavy', false)
  server.decorateRequest('standing')
  server.decorateRequest('heldBytes', 0)
  server.decorateRequest('isInFlight', false)
  server.decorateRequest('servedBy')
  server.decorateRequest('errorCode')
  server.decorateRequest('textUsage')
  const tracing = parts.traceRequests?.()
  if (tracing !== undefined) {
    server.addHook('onRequest', (request, reply, done) => {
      restoreMethod(request.raw)
      tracing.begin(request, reply, done)
    })
    server.addHook('preHandler', tracing.resume)
  }
  const enter: Step = (request, reply, done) => {
    count(request, reply)
    if (isLastOnConnection(request, drain)) reply.raw.shouldKeepAlive = false
    done(faultInHead(request))
  }
  // One hook for what every request goes through: each further one is felt on small requests.
  server.addHook('onRequest', (request, reply, done) => {
    restoreMethod(request.raw)
    nameRequest(request, reply)
    enter(request, reply, done)
  })
  takeEveryRequest(server)
  closeBusyConnections(server, drain)
  answerErrors(server, answerError)
  answerConnect(server, parts)
  watchLag(server, { load, clock: parts.clock })
  const { admin, limits, turns = createBodyTurns(parts.clock) } = parts
  const { textBodyBytesMax, bodyRateMin } = limits
  const watch = createBodyWatch({ clock: parts.clock, bodyRateMin })
  const forwarded = parts.forwarded ?? readForwarded([])
  const stepParts = { ...parts, load, bodies, turns, watch, admin, forwarded, textBodyBytesMax }
  const offered = operations.filter(({ isOffered }) => isOffered?.(stepParts) ?? true)
  registerOperations(server, offered, stepParts)
  const wayParts = { ...stepParts, enter, tracing, answerError }
  server.server.off('request', server.routing)
  server.server.on(
    'request',
    serveInOrder(ways === 'both' ? shortWay(server, offered, wayParts) : server.routing),
  )
  openSockets(server, offered, wayParts)
  return server
}

/** Bytes that were sent along behind an upgrade request are lost to the parser, so its connection ends too. */
function isLastOnConnection({ raw }: EdgeRequest, drain: DrainState): boolean {
  return drain.draining || raw.headers.upgrade !== undefined
}

function nodeOptions(
  { headersMs, requestMs, keepAliveMs }: EdgeTimeouts,
  shouldUpgradeCallback: (raw: IncomingMessage) => boolean,
) {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headersMs, CHECK_EVERY_MS_MAX),
      // Room for both bounds: within it we measure each by itself, beyond it the parser gives up.
      maxHeaderSize: TARGET_BYTES_MAX + HEADER_BYTES_MAX,
      // Refused by us, with our envelope.
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      shouldUpgradeCallback,
    },
  }
}

/** CONNECT asks for a tunnel. Node hands over the bare socket, and without a listener just closes it. */
function answerConnect(server: FastifyInstance, parts: RawParts): void {
  server.server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const apiError = new ApiError('method_not_allowed')
    const headers = { allow: 'GET, HEAD, POST, DELETE' }
    const refused = { apiError, target: request.url ?? '', reason: 'CONNECT', headers }
    afterAnswers(request.socket, () => answerRaw(socket, refused, parts))
  })
}

type CountRequest = (request: EdgeRequest, reply: EdgeReply) => void

interface CountingParts {
  metrics: Metrics
  logRequest: LogRequest
  clock: Clock
  load: LoadGauge
  bodies: BodyGauge
}

/** Counts a request from here to the end of its answer, however it ends: `close` comes after every end, `finish` does not. */
function requestCounter({ metrics, logRequest, clock, load, bodies }: CountingParts): CountRequest {
  return (request, reply) => {
    const beganMs = clock.monotonicMs()
    reply.raw.on('close', () => {
      const caller: Caller | undefined = request.caller
      if (request.isInFlight) load.end(holderOf(request))
      if (request.heldBytes > 0) bodies.give(holderOf(request), request.heldBytes)
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
      }
      metrics.requestFinished(finished)
      afterSettlement(request, () => logRequest({ ...finished, usage: request.textUsage }))
    })
  }
}

function statusOf(response: ServerResponse): number {
  return response.headersSent ? response.statusCode : (rawStatusOf(response) ?? CLIENT_CLOSED_REQUEST)
}
