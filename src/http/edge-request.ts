import type { IncomingHttpHeaders } from 'node:http'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import type { BodyRecording } from '../app/requests/record-bodies.ts'
import type { ReplySession } from '../app/text/contract/reply-session.ts'
import type { Caller } from '../domain/access/api-key.ts'
import type { RateStanding } from '../ports/rate-meter.ts'
import type { TextFigures } from '../ports/usage.ts'
import type { AdminCaller } from './admin/find-caller.ts'
import type { RawRequest } from './raw.ts'

/** Part of the API. It decides the format of errors. */
export type Area = 'video' | TextEndpoint | 'admin'

/** Headers that let pages of an origin read a response, besides `Vary`. Empty: the origin is not listed. */
export type CorsHeaders = Readonly<Record<string, string>>

/** Route of a request according to the table of operations; all members are absent on unknown paths. */
export interface Route {
  /** Path with `:name` for parameters. */
  readonly path?: string
  readonly area?: Area
  /** Sent with 200 instead of an error about the body. */
  readonly answerWhenBad?: object | undefined
}

/** Request of a client, or one event of a WebSocket with the head that opened its connection. */
export class EdgeRequest {
  readonly id: string
  readonly raw: RawRequest
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly route: Route
  readonly params: unknown
  readonly query: unknown
  /** Undefined: the request is not an event of a WebSocket. */
  readonly event: EventNotes | undefined
  /** Set by the authentication step on every `api-key` operation. */
  caller!: Caller
  /** Caller of an `admin` operation, set by its guard. */
  admin: AdminCaller | undefined = undefined
  /** Operation of the request; undefined for an unknown path or method, or a refused head. */
  operationId: string | undefined = undefined
  body: unknown = undefined
  /** Bytes of the body on operations that keep them; elsewhere undefined. */
  bodyBytes: Buffer | undefined = undefined
  /** Files of a form by their fields; undefined: the body is no form. */
  formFiles: ReadonlyMap<string, Buffer> | undefined = undefined
  /** True when another thread parses the body: only its bytes are set. */
  isHeavy = false
  /** Rate of the caller, which every response shows; undefined without a limit. */
  standing: RateStanding | undefined = undefined
  /** CORS headers of the response; undefined without `CORS_ORIGINS`, and at the paths of operators. */
  cors: CorsHeaders | undefined = undefined
  heldBytes = 0
  isInFlight = false
  /** True once the client may send its body. A client that waits for "100 Continue" has received it then. */
  isContinued = false
  servedBy: string | undefined = undefined
  errorCode: string | undefined = undefined
  textUsage: TextFigures | undefined = undefined
  /** True when a usage row records the request with its error. */
  isRecorded = false

  /** Records the bodies; undefined: they are not recorded. */
  recording: BodyRecording | undefined = undefined

  constructor({ id, raw, route, params, query, headers, event }: RequestHead) {
    this.id = id
    this.raw = raw
    this.method = raw.method ?? ''
    this.headers = headers ?? raw.headers
    this.route = route
    this.params = params
    this.query = query
    this.event = event
  }
}

interface RequestHead {
  id: string
  raw: RawRequest
  route: Route
  params?: unknown
  query?: unknown
  /** Default: the headers of `raw`. */
  headers?: IncomingHttpHeaders
  event?: EventNotes
}

export interface EventNotes {
  session: ReplySession
  isWarmUp: boolean
}
