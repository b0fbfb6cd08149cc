import { isTextEndpoint } from '@sluice/dialects/dialect-facts'
import findMyWay from 'find-my-way'
import type { Role } from '../../domain/access/operator-account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { BodyTurns } from '../../ports/body-turns.ts'
import type { Holders } from '../../ports/holders.ts'
import type { NewId } from '../../ports/secrets.ts'
import { authenticate } from '../access/authenticate.ts'
import { guardAdmin } from '../admin/guard-admin.ts'
import type { BodyGauge } from '../body/body-gauge.ts'
import type { BodyWatch } from '../body/body-rate.ts'
import { ignoreBody } from '../body/ignore-body.ts'
import { holderOf, takeJson } from '../body/json-body.ts'
import { EdgeReply } from '../edge-reply.ts'
import { EdgeRequest, type Route } from '../edge-request.ts'
import type { AnswerError } from '../errors/answer-errors.ts'
import type { LoadGauge } from '../limits/load-gauge.ts'
import { shedLoad } from '../limits/shed-load.ts'
import type { HandlerParts, Operation } from '../operation.ts'
import type { RawReply, RawRequest } from '../raw.ts'
import { acceptSockets, type SocketParts } from '../sockets/accept-sockets.ts'
import type { Handle, Step } from '../step.ts'
import { TARGET_BYTES_MAX } from './check-request-head.ts'
import { type Cors, isPreflight } from './cors.ts'
import type { LargeReplies } from './large-replies.ts'
import { type StepRunner, stepRunner } from './run-steps.ts'
import type { TraceSteps } from './trace-requests.ts'

export interface RoutingParts extends HandlerParts, SocketParts {
  newId: NewId
  load: LoadGauge
  bodies: BodyGauge
  largeReplies: LargeReplies
  turns: BodyTurns
  watch: BodyWatch
  /** Body limit of the text endpoints; undefined: 32 MiB. */
  textBodyBytesMax: number | undefined
  /** Step after tracing. It counts the request under this operation, or as `unknown` when its head is refused. */
  enter(operationId: string | undefined, errorBefore?: ApiError): Step
  holders?: Holders | undefined
  tracing: TraceSteps | undefined
  /** Undefined: no response has CORS headers. */
  cors?: Cors | undefined
  answerError: AnswerError
}

/** Key of the handler for a GET that opens a WebSocket. */
export const UPGRADE = 'upgrade'

/** Serves one request. Default of `method`: the request's own. */
export type Dispatch = (raw: RawRequest, response: RawReply, method?: string) => void

interface RoutedHandler {
  route: Route
  serve: StepRunner
}

/** Handlers of one path by method. The guards of the path run before every method, also before an unknown method. */
interface Path {
  methods: ReadonlyMap<string | undefined, RoutedHandler>
  otherMethods: RoutedHandler
}

/** The router knows only paths: each path answers every method. */
export function routeOperations(operations: readonly Operation[], parts: RoutingParts): Dispatch {
  // An id may be as long as an address: the operation, not the router, answers 404.
  const router = findMyWay({ maxParamLength: TARGET_BYTES_MAX, onBadUrl() {} })
  // Finds the path of most requests without the router, because their address is the path itself.
  const plain = new Map<string | undefined, FoundRoute>()
  for (const [path, onPath] of Map.groupBy(operations, (operation) => operation.path)) {
    const store = pathOf(onPath, parts)
    router.on('GET', path, () => {}, store)
    if (!/[:*]/.test(path)) plain.set(path, { ...NOTHING, store })
  }
  const malformed = new ApiError('malformed_request')
  const unknown = refusing({}, [...begin(parts), parts.enter(undefined)], parts)
  const unreadable = refusing({}, [...begin(parts), parts.enter(undefined, malformed)], parts)
  const nowhere: FoundRoute = { ...NOTHING, store: { methods: new Map(), otherMethods: unknown } }
  const preflight: RoutedHandler = {
    route: { path: '*' },
    serve: stepRunner(
      [...begin(parts), parts.enter('preflight'), ignoreBody(parts.watch)],
      (_request, reply) => reply.code(204).send(),
      parts.answerError,
    ),
  }
  const { cors, turns, largeReplies } = parts
  return (raw, response, method = raw.method) => {
    turns.book.begin('')
    const found: FoundRoute = plain.get(raw.url) ?? router.find('GET', raw.url ?? '') ?? nowhere
    const { store: path, params, searchParams: query } = found
    const { route, serve } = path === null ? unreadable : (path.methods.get(method) ?? otherMethod(raw, path))
    const request = new EdgeRequest({ id: parts.newId('req'), raw, route, params, query })
    if (cors !== undefined) request.cors = cors(raw)
    serve(request, new EdgeReply(request, response, largeReplies))
  }

  /** A preflight of an unknown path passes too: the page can then read the 404 of its request. */
  function otherMethod(raw: RawRequest, path: Path): RoutedHandler {
    return isPreflight(raw) ? preflight : path.otherMethods
  }
}

interface FoundRoute {
  /** Null: the address cannot be decoded. */
  store: Path | null
  params: unknown
  searchParams: unknown
}

const NOTHING = { params: {}, searchParams: {} }

function refusing(route: Route, steps: readonly Step[], { answerError }: RoutingParts): RoutedHandler {
  return { route, serve: stepRunner(steps, () => {}, answerError) }
}

/** Clears the holder: a request may begin in the turn of another request, which has its own organization as holder. */
function begin({ holders, tracing }: RoutingParts): Step[] {
  const steps: Step[] = holders === undefined ? [] : [(_request, _reply, done) => holders.run('', done)]
  return tracing === undefined ? steps : [...steps, tracing.begin]
}

function pathOf(onPath: readonly Operation[], parts: RoutingParts): Path {
  const [first] = onPath
  if (first === undefined) throw new Error('a path has an operation')
  const { path, area, access, essential } = first
  if (
    onPath.some((other) => other.area !== area || other.access !== access || other.essential !== essential)
  ) {
    throw new Error(`the operations on ${path} differ in area, access or essential`)
  }
  const taken = onPath.map<string>(({ method }) => method)
  const allow = [...taken, ...(taken.includes('GET') ? ['HEAD'] : [])].join(', ')
  const steps = [...guardsOf(first, undefined, parts), refuseMethod(allow)]
  return {
    methods: new Map(onPath.flatMap((operation) => targetsOf(operation, parts))),
    otherMethods: refusing({ path, area }, steps, parts),
  }
}

/** Guards of an operation; without an `id`, those of an unknown method of its path, for every role. */
function guardsOf(operation: Operation, id: string | undefined, parts: RoutingParts): Step[] {
  const { path, area, access, essential, method } = operation
  const role: Role = operation.role ?? (method === 'GET' ? 'viewer' : 'operator')
  const steps = [...begin(parts), parts.enter(id)]
  if (access === 'api-key') return [...steps, authenticate({ ...parts, area })]
  if (!essential) steps.push(shedLoad(parts))
  if (access === 'admin') {
    steps.push(...asHolder(access, parts))
    const takesCookie = path.startsWith('/admin/v1/')
    steps.push(guardAdmin({ ...parts, takesCookie, role: id === undefined ? 'viewer' : role }))
  }
  return steps
}

/** Runs the next steps with the organization as holder, also after the body step, whose events lose the holder. */
function asHolder(access: Operation['access'], { holders }: RoutingParts): Step[] {
  if (holders === undefined) return []
  return [(request, _reply, done) => holders.run(holderOf(request) || access, done)]
}

/** Handlers of an operation by method: a GET also answers HEAD, and an operation with sockets the upgrade. */
function targetsOf(operation: Operation, parts: RoutingParts): [string, RoutedHandler][] {
  const { id, method, path, area, access, body, head } = operation
  const { tracing, watch, answerError } = parts
  const route = { path, area, answerWhenBad: body?.answerWhenBad }
  const guards = guardsOf(operation, id, parts)
  const resume = [...asHolder(access, parts), ...(tracing === undefined ? [] : [tracing.resume])]
  const takeBody = body === undefined ? ignoreBody(watch) : bodyStep(operation, body, parts)
  const target = (handle: Handle): RoutedHandler => ({
    route,
    serve: stepRunner([...guards, takeBody, ...resume], handle, answerError),
  })
  const handle = operation.handle(parts)
  const targets: [string, RoutedHandler][] = [[method, target(handle)]]
  if (method === 'GET') {
    const answerHead: Handle = (_request, reply) =>
      reply
        .code(head?.status ?? 200)
        .headers(head?.headers ?? {})
        .send()
    targets.push(['HEAD', target(head === undefined ? handle : answerHead)])
  }
  if (operation.takesSockets && body !== undefined) {
    const rules = { route, body, limitBytes: limitOf(area, body, parts) }
    const open = acceptSockets(
      rules,
      (steps) => stepRunner([...guards, ...steps, ...resume], handle, answerError),
      parts,
    )
    targets.push([UPGRADE, { route, serve: stepRunner(guards, open, answerError) }])
  }
  return targets
}

function bodyStep({ area }: Operation, body: NonNullable<Operation['body']>, parts: RoutingParts): Step {
  const { isWanted, ...rules } = { ...body, limitBytes: limitOf(area, body, parts) }
  if (isWanted === undefined) return takeJson(rules, parts)
  return takeJson({ ...rules, isWanted: (request) => isWanted(parts, request) }, parts)
}

function limitOf(
  area: Operation['area'],
  { limitBytes }: NonNullable<Operation['body']>,
  { textBodyBytesMax = TEXT_BYTES_MAX }: RoutingParts,
): number {
  if (limitBytes === 'text') return textBodyBytesMax
  return isTextEndpoint(area) ? Math.min(limitBytes, textBodyBytesMax) : limitBytes
}

const TEXT_BYTES_MAX = 32 * 1024 * 1024

/** Runs after the guards of the path and before the body: only authorized callers learn about a wrong method. */
function refuseMethod(allow: string): Step {
  return (request, reply, done) => {
    reply.header('allow', allow)
    done(new ApiError(asksForWebSocket(request) ? 'upgrade_required' : 'method_not_allowed'))
  }
}

/** Some clients try a WebSocket first and use HTTP only when they are refused. */
function asksForWebSocket({ method, headers }: EdgeRequest): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}
