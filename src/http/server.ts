import { type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify'
import type { App } from '../app/app.ts'
import { type BodyTurns, createBodyTurns } from '../app/waiting/body-turns.ts'
import type { Clock } from '../ports/clock.ts'
import type { LogRequest } from '../ports/finished-request.ts'
import type { NewId } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { AdminDoor } from './admin-door.ts'
import { answerConnect } from './answer-connect.ts'
import { answerErrors, errorAnswerer } from './answer-errors.ts'
import { type BodyLimits, createBodyGauge } from './body-gauge.ts'
import { createBodyWatch } from './body-rate.ts'
import { faultInHead, HEADER_BYTES_MAX, TARGET_BYTES_MAX, takeEveryRequest } from './check-request-head.ts'
import { clientErrorAnswerer } from './client-errors.ts'
import { requestCounter } from './count-requests.ts'
import { closeBusyConnections, type DrainState } from './draining.ts'
import { createLoadGauge, type LoadLimits } from './load-gauge.ts'
import type { Operation } from './operation.ts'
import { registerOperations } from './register-operations.ts'
import { nameRequest } from './request-id.ts'
import { OPERATIONS } from './routes.ts'
import { watchLag } from './shed-load.ts'
import type { traceRequests } from './trace-requests.ts'

export type HttpServer = FastifyInstance

export interface ServerParts {
  app: App
  metrics: Metrics
  log: Log
  logRequest: LogRequest
  newId: NewId
  clock: Clock
  drain: DrainState
  /** Left out: costly bodies take turns among themselves. */
  turns?: BodyTurns
  /** Left out: every admin route is 404. */
  admin?: AdminDoor | undefined
  operations?: readonly Operation[]
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
export function createServer({ operations = OPERATIONS, ...parts }: ServerParts): HttpServer {
  const load = createLoadGauge(parts.limits)
  const bodies = createBodyGauge(parts.limits)
  parts.metrics.watchBodies(() => bodies.bytes)
  const count = requestCounter({ ...parts, load, bodies })
  const answerError = errorAnswerer(parts.log)
  const server = fastify({
    ...nodeOptions(parts.timeouts),
    genReqId: () => parts.newId('req'),
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: { compilersFactory: NO_SCHEMAS },
    // While it closes, Fastify would answer 503 by itself, without our envelope.
    return503OnClosing: false,
    // An id may be as long as an address: that there is no such thing is for its operation to say.
    routerOptions: { maxParamLength: TARGET_BYTES_MAX },
    clientErrorHandler: clientErrorAnswerer(parts),
    // What has no route has no hooks either.
    frameworkErrors: (error, request, reply) => {
      nameRequest(request, reply)
      count(request, reply)
      answerError(error, request, reply)
    },
  })

  server.decorateRequest('caller')
  server.decorateRequest('operationId')
  server.decorateRequest('bodyBytes')
  server.decorateRequest('isHeavy', false)
  server.decorateRequest('standing')
  server.decorateRequest('heldBytes', 0)
  server.decorateRequest('hasPlace', false)
  server.decorateRequest('servedBy')
  parts.traceRequests?.(server)
  // One hook for what every request goes through: each further one is felt on small requests.
  server.addHook('onRequest', (request, reply, done) => {
    nameRequest(request, reply)
    count(request, reply)
    if (isLastOnConnection(request, parts.drain)) reply.raw.shouldKeepAlive = false
    done(faultInHead(request))
  })
  takeEveryRequest(server)
  closeBusyConnections(server, parts.drain)
  answerErrors(server, answerError)
  answerConnect(server, parts)
  watchLag(server, { load, clock: parts.clock })
  const { admin, limits, turns = createBodyTurns() } = parts
  const { textBodyBytesMax, bodyRateMin } = limits
  const watch = createBodyWatch({ clock: parts.clock, bodyRateMin })
  const gauges = { load, bodies, turns, watch }
  registerOperations(server, operations, { ...parts, ...gauges, admin, textBodyBytesMax })
  return server
}

/** Bytes that were sent along behind an upgrade request are lost to the parser, so its connection ends too. */
function isLastOnConnection({ raw }: FastifyRequest, drain: DrainState): boolean {
  return drain.draining || raw.headers.upgrade !== undefined
}

function nodeOptions({ headersMs, requestMs, keepAliveMs }: EdgeTimeouts) {
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
    },
  }
}
