import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../domain/access/api-key.ts'
import type { RateStanding } from '../../ports/rate-meter.ts'
import type { NewId } from '../../ports/secrets.ts'
import type { TextFigures } from '../../ports/usage.ts'
import { authenticate } from '../access/authenticate.ts'
import { ignoreBody } from '../body/ignore-body.ts'
import type { EdgeReply, EdgeRequest, Step } from '../edge-request.ts'
import type { AnswerError } from '../errors/answer-errors.ts'
import { answerHeaders } from '../errors/answer-headers.ts'
import type { HotOperation, Operation } from '../operation.ts'
import { nameOperation, type RegistrationParts, takeBody } from './register-operations.ts'
import type { Serve } from './serve-in-order.ts'
import type { TraceSteps } from './trace-requests.ts'

export interface ShortWayParts extends RegistrationParts {
  newId: NewId
  /** What every request goes through first. */
  enter: Step
  tracing: TraceSteps | undefined
  answerError: AnswerError
}

/**
 * Serves the exact addresses of hot operations with the same steps as the framework, without the framework: see
 * decision 10 for what that saves. Every other address, method and spelling is the framework's.
 */
export function shortWay(
  { routing }: Pick<FastifyInstance, 'routing'>,
  operations: readonly Operation[],
  parts: ShortWayParts,
): Serve {
  const hot = operations.filter((operation) => operation.isHot === true)
  const served = (method: string) =>
    new Map<string | undefined, Serve>(
      hot.filter((row) => row.method === method).map((row) => [row.path, serveAlone(row, parts)]),
    )
  const posts = served('POST')
  const gets = served('GET')
  return (raw, response) => {
    const { method, url } = raw
    const serve = method === 'POST' ? posts.get(url) : method === 'GET' ? gets.get(url) : undefined
    if (serve === undefined) routing(raw, response)
    else serve(raw, response)
  }
}

function serveAlone(operation: HotOperation, parts: ShortWayParts): Serve {
  const { method, path: url, area, body } = operation
  const { newId, enter, tracing, answerError } = parts
  const route = { url, config: { area } }
  const handle = operation.handle(parts)
  const steps: readonly Step[] = [
    ...(tracing === undefined ? [] : [tracing.begin]),
    enter,
    nameOperation([operation]),
    authenticate({ ...parts, area }),
    body === undefined ? ignoreBody(parts.watch) : takeBody(area, body, parts),
    ...(tracing === undefined ? [] : [tracing.resume]),
  ]

  const serve = stepRunner(steps, handle, answerError)
  return (raw, response) => {
    const request = new ShortRequest(newId('req'), raw, method, route)
    serve(request, new ShortReply(request, response))
  }
}

/** Takes the steps one after the other, and then the handler. */
export function stepRunner(
  steps: readonly Step[],
  handle: (request: EdgeRequest, reply: EdgeReply) => Promise<void> | undefined,
  answerError: AnswerError,
): (request: EdgeRequest, reply: EdgeReply) => void {
  function fail(thrown: unknown, request: EdgeRequest, reply: EdgeReply): void {
    if (!reply.raw.headersSent) answerError(thrown, request, reply)
  }

  function take(at: number, request: EdgeRequest, reply: EdgeReply): void {
    const step = steps[at]
    try {
      if (step === undefined) handle(request, reply)?.catch((thrown) => fail(thrown, request, reply))
      else
        step(request, reply, (error) => {
          if (error === undefined) take(at + 1, request, reply)
          else fail(error, request, reply)
        })
    } catch (thrown) {
      fail(thrown, request, reply)
    }
  }

  return (request, reply) => take(0, request, reply)
}

/** Nothing but an exact address comes this way. */
const NO_QUERY = {}

export class ShortRequest implements EdgeRequest {
  readonly id: string
  readonly raw: IncomingMessage
  readonly method: string
  readonly routeOptions: EdgeRequest['routeOptions']
  readonly query = NO_QUERY
  readonly is404 = false
  caller!: Caller
  operationId: string | undefined = undefined
  body: unknown = undefined
  bodyBytes: Buffer | undefined = undefined
  isHeavy = false
  standing: RateStanding | undefined = undefined
  heldBytes = 0
  isInFlight = false
  servedBy: string | undefined = undefined
  errorCode: string | undefined = undefined
  textUsage: TextFigures | undefined = undefined

  constructor(id: string, raw: IncomingMessage, method: string, routeOptions: EdgeRequest['routeOptions']) {
    this.id = id
    this.raw = raw
    this.method = method
    this.routeOptions = routeOptions
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }
}

export class ShortReply implements EdgeReply {
  readonly raw: ServerResponse
  readonly #request: EdgeRequest
  #status = 200
  #headers: Record<string, string | number> | undefined = undefined

  constructor(request: EdgeRequest, raw: ServerResponse) {
    this.#request = request
    this.raw = raw
  }

  code(status: number): void {
    this.#status = status
  }

  headers(values: Record<string, string | number>): void {
    this.#headers = this.#headers === undefined ? values : { ...this.#headers, ...values }
  }

  getHeaders(): Record<string, string | number> {
    return this.#headers ?? {}
  }

  hijack(): void {}

  send(body: string | Readable): void {
    // The client is gone.
    if (this.raw.destroyed) return
    const headers = { ...this.#headers, ...answerHeaders(this.#request) }
    if (typeof body === 'string') {
      this.raw.writeHead(this.#status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    } else {
      this.raw.writeHead(this.#status, headers)
      pipeline(body, this.raw, () => {})
    }
  }
}
