import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ReplySession } from '../app/text/contract/reply-session.ts'
import type { ReplySink } from '../app/text/contract/reply-sink.ts'
import type { Caller } from '../domain/access/api-key.ts'
import type { TextEndpoint } from '../domain/catalog/dialects.ts'
import type { RateStanding } from '../ports/rate-meter.ts'
import type { TextFigures } from '../ports/usage.ts'

/** Which error envelope a path speaks. */
export type Area = 'video' | TextEndpoint | 'admin'

/** What the steps of a request note about it for each other. */
export interface RequestNotes {
  /** Set by the authentication step on every `api-key` operation. */
  caller: Caller
  /** The operation that answered; undefined for an unknown path or method. */
  operationId: string | undefined
  /** What the body was read from, on operations that keep it; elsewhere undefined. */
  bodyBytes: Buffer | undefined
  /** Its body is one for another thread: there are only its bytes. */
  isHeavy: boolean
  /** How the rate of its caller stands; undefined for a caller without a limit. */
  standing: RateStanding | undefined
  /** Bytes of its body that count among those held. */
  heldBytes: number
  /** Whether it counts among the requests in flight. */
  isInFlight: boolean
  /** The model that served its text reply. */
  servedBy: string | undefined
  /** Of the error that was answered. */
  errorCode: string | undefined
  /** What a text reply used and cost, once it is known. */
  textUsage: TextFigures | undefined
}

export interface RouteNotes {
  /** Absent on unknown paths. */
  area?: Area
  answerWhenBad?: object
}

/** A request as the steps see it, whether the framework routed it or the short way did. */
export interface EdgeRequest extends RequestNotes {
  readonly id: string
  readonly raw: IncomingMessage
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly query: unknown
  /** No operation has its path. */
  readonly is404: boolean
  readonly routeOptions: { readonly url?: string | undefined; readonly config?: RouteNotes }
  body: unknown
  /** Given where it came as an event of a WebSocket. */
  readonly event?: EventNotes
}

/** Of a request that came as an event of a WebSocket. */
export interface EventNotes {
  session: ReplySession
  isWarmUp: boolean
}

/** Its answer, likewise. */
export interface EdgeReply {
  readonly raw: ServerResponse
  code(status: number): unknown
  headers(values: Record<string, string | number>): unknown
  /** What it has so far. */
  getHeaders(): Record<string, string | number | string[] | undefined>
  send(body: string | Readable): unknown
  /** From here on the answer is written to `raw`. */
  hijack(): unknown
  /** Where a text reply goes; left out: to `raw`. */
  readonly sink?: ReplySink
}

/** One thing that is done with a request before its handler; an error that is handed to `done` is its answer. */
export type Step = (request: EdgeRequest, reply: EdgeReply, done: (error?: Error) => void) => void
