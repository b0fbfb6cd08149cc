import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, onSendHookHandler, RouteHandlerMethod } from 'fastify'
import type { Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { isTextEndpoint } from '../../domain/catalog/dialects.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import { authenticate } from '../access/authenticate.ts'
import { guardAdmin } from '../admin/guard-admin.ts'
import type { BodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { ignoreBody } from '../body/ignore-body.ts'
import { takeJson } from '../body/json-body.ts'
import type { Area, Step } from '../edge-request.ts'
import type { LoadGauge } from '../limits/load-gauge.ts'
import { shedLoad } from '../limits/shed-load.ts'
import type { HandlerParts, Operation } from '../operation.ts'
import { ROUTED_METHODS } from './shared-method.ts'

export interface RegistrationParts extends HandlerParts {
  load: LoadGauge
  bodies: BodyGauge
  turns: BodyTurns
  watch: BodyWatch
  /** The body limit of the text endpoints; undefined: 32 MiB. */
  textBodyBytesMax: number | undefined
}

/** Gives each path of the table a scope of its own, so that its guards cover every method and nothing else. */
export function registerOperations(
  server: FastifyInstance,
  operations: readonly Operation[],
  parts: RegistrationParts,
): void {
  learnMethods(server)
  for (const onPath of Map.groupBy(operations, ({ path }) => path).values()) {
    server.register((scope, _options, done) => {
      registerPath(scope, onPath, parts)
      done()
    })
  }
}

/** To the framework no method has a body: our hooks take those that are wanted and drop the others. */
function learnMethods(server: FastifyInstance): void {
  for (const method of ROUTED_METHODS)
    server.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

function registerPath(scope: FastifyInstance, onPath: readonly Operation[], parts: RegistrationParts): void {
  const [first] = onPath
  if (first === undefined) return
  const { path, area, access, essential } = first
  if (
    onPath.some((other) => other.area !== area || other.access !== access || other.essential !== essential)
  ) {
    throw new Error(`the operations on ${path} differ in area, access or essential`)
  }
  scope.addHook('onRequest', nameOperation(onPath))
  if (!essential && access !== 'api-key') shedLoad(scope, parts)
  if (access === 'api-key') scope.addHook('onRequest', authenticate({ ...parts, area }))
  if (access === 'admin') {
    const takesCookie = path.startsWith('/admin/v1/')
    guardAdmin(scope, { ...parts, takesCookie, roleFor: rolesOf(onPath) })
  }
  for (const operation of onPath) registerOperation(scope, operation, parts)
  refuseOtherMethods(scope, onPath, first)
}

/** A wrong method is told to every operator. */
function rolesOf(onPath: readonly Operation[]): (method: string) => Role {
  const roles = new Map<string, Role>(
    onPath.map(({ method, role }) => [method, role ?? (method === 'GET' ? 'viewer' : 'operator')]),
  )
  return (method) => roles.get(method) ?? 'viewer'
}

/** First of all steps of a path, so that errors are counted under their operation too. */
export function nameOperation(onPath: readonly Operation[]): Step {
  const ids = new Map<string, string>(onPath.map(({ method, id }) => [method, id]))
  const get = ids.get('GET')
  if (get !== undefined) ids.set('HEAD', get)
  return (request, _reply, done) => {
    request.operationId = ids.get(request.method)
    done()
  }
}

function registerOperation(scope: FastifyInstance, operation: Operation, parts: RegistrationParts): void {
  const { method, path, area, body, head } = operation
  const handler = operation.handle(parts)
  const route = {
    url: path,
    config: { area, answerWhenBad: body?.answerWhenBad },
    onRequest: body === undefined ? ignoreBody(parts.watch) : takeBody(area, body, parts),
  }
  scope.route({ ...route, method, handler, exposeHeadRoute: false })
  if (method !== 'GET') return
  const answerHead: RouteHandlerMethod = (_request, reply) =>
    reply
      .code(head?.status ?? 200)
      .headers(head?.headers ?? {})
      .send()
  scope.route({
    ...route,
    method: 'HEAD',
    handler: head === undefined ? handler : answerHead,
    onSend: dropBody,
  })
}

/** The framework would read a stream to its end here: a live feed has none, and a video is downloaded for nothing. */
const dropBody: onSendHookHandler = (_request, reply, payload, done) => {
  if (payload instanceof Readable) payload.destroy()
  else if (typeof payload === 'string' || Buffer.isBuffer(payload))
    reply.header('content-length', Buffer.byteLength(payload))
  done(null, null)
}

export function takeBody(area: Area, body: NonNullable<Operation['body']>, parts: RegistrationParts): Step {
  const { isWanted, ...rules } = { ...body, limitBytes: limitOf(area, body, parts) }
  if (isWanted === undefined) return takeJson(rules, parts)
  return takeJson({ ...rules, isWanted: (request) => isWanted(parts, request) }, parts)
}

/** How many bytes a body may have. */
export function limitOf(
  area: Area,
  { limitBytes }: NonNullable<Operation['body']>,
  { textBodyBytesMax = TEXT_BYTES_MAX }: RegistrationParts,
): number {
  if (limitBytes === 'text') return textBodyBytesMax
  return isTextEndpoint(area) ? Math.min(limitBytes, textBodyBytesMax) : limitBytes
}

const TEXT_BYTES_MAX = 32 * 1024 * 1024

/** After the guards of the path and before the body: a wrong method is said to those only who may call at all. */
function refuseOtherMethods(
  scope: FastifyInstance,
  onPath: readonly Operation[],
  { path, area }: Operation,
): void {
  const taken = new Set<string>(onPath.map(({ method }) => method))
  if (taken.has('GET')) taken.add('HEAD')
  const allow = [...taken].join(', ')
  scope.route({
    method: ROUTED_METHODS.filter((method) => !taken.has(method)),
    url: path,
    config: { area },
    onRequest: (request, reply, done) => {
      reply.header('allow', allow)
      done(new ApiError(asksForWebSocket(request) ? 'upgrade_required' : 'method_not_allowed'))
    },
    handler: () => {
      throw new ApiError('method_not_allowed')
    },
  })
}

/** Some clients try a WebSocket first and fall back to HTTP only where they are told that there is none. */
function asksForWebSocket({ method, raw }: FastifyRequest): boolean {
  return method === 'GET' && raw.headers.upgrade?.toLowerCase() === 'websocket'
}
