import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TextEndpoint } from '@sluice/dialects/dialect-facts'
import type { ReplySession } from '../app/text/contract/reply-session.ts'
import type { Caller } from '../domain/access/api-key.ts'
import type { RateStanding } from '../ports/rate-meter.ts'
import type { TextFigures } from '../ports/usage.ts'
import type { AdminCaller } from './admin/find-caller.ts'

/** Which error envelope a path speaks. */
export type Area = 'video' | TextEndpoint | 'admin'

/** The part of the table of operations that concerns the address of a request; unknown paths have none. */
export interface Route {
  /** With `:name` for path parameters. */
  readonly path?: string
  readonly area?: Area
  /** Sent with 200 in place of an error about the body. */
  readonly answerWhenBad?: object | undefined
}

/** A request of a client, or one event of a WebSocket with the head that opened its connection. */
export class EdgeRequest {
  readonly id: string
  readonly raw: IncomingMessage
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly route: Route
  readonly params: unknown
  readonly query: unknown
  /** undefined: it did not come as an event of a WebSocket. */
  readonly event: EventNotes | undefined
  /** Set by the authentication step on every `api-key` operation. */
  caller!: Caller
  /** Set by the guard on every `admin` operation: in whose name it acts. */
  admin: AdminCaller | undefined = undefined
  /** The operation that answered; undefined for an unknown path or method. */
  operationId: string | undefined = undefined
  body: unknown = undefined
  /** The bytes of the body, on operations that keep them; elsewhere undefined. */
  bodyBytes: Buffer | undefined = undefined
  /** Its body is one for another thread: there are only its bytes. */
  isHeavy = false
  /** The rate of its caller, which every answer says; undefined for a caller without a limit. */
  standing: RateStanding | undefined = undefined
  /** Bytes of its body that count among those held. */
  heldBytes = 0
  /** It counts among the requests in flight. */
  isInFlight = false
  /** The model that served its text reply. */
  servedBy: string | undefined = undefined
  /** The code of the error that was answered. */
  errorCode: string | undefined = undefined
  /** The usage and cost of a text reply, once they are known. */
  textUsage: TextFigures | undefined = undefined

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
  raw: IncomingMessage
  route: Route
  params?: unknown
  query?: unknown
  /** Left out: those of `raw`. */
  headers?: IncomingHttpHeaders
  event?: EventNotes
}

export interface EventNotes {
  session: ReplySession
  isWarmUp: boolean
}
