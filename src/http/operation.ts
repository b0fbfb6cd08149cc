import type { Unstorable } from '@sluice/dialects/json/json-bounds'
import type { App } from '../app/app.ts'
import type { Role } from '../domain/access/operator-account.ts'
import type { ApiError } from '../domain/api-error.ts'
import type { JsonSchema } from '../domain/json/json-schema.ts'
import type { Clock } from '../ports/clock.ts'
import type { ConsoleFiles } from '../ports/console-files.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { AdminAccess } from './admin/admin-key-check.ts'
import type { EdgeReply } from './edge-reply.ts'
import type { Area, EdgeRequest } from './edge-request.ts'
import type { VersionRule } from './schema/read-version.ts'
import type { DrainState } from './server/draining.ts'
import type { Forwarded } from './server/forwarded.ts'
import type { Handle } from './step.ts'

/** Callers that an operation accepts: everyone, holders of an API key, or operators. */
export type Access = 'open' | 'api-key' | 'admin'

/** Operation of the API: everything to route, guard, count and document it. */
export interface Operation {
  /** Also the metric label and the `operationId` in OpenAPI. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with `:name` for parameters. */
  path: string
  area: Area
  access: Access
  /** Role for an operation of the admin API. Default: viewer for GET, operator for the rest. */
  role?: Role
  /** Requests may also come as events of a WebSocket, which a GET with an upgrade opens at this path. Needs `body`. */
  takesSockets?: true
  /** True for a GET or POST that clients send often: `openDoor` reads its requests. A POST has no path parameters. */
  isHot?: true
  /** Served even while load is shed, such as the health of the process. */
  essential?: true
  /** Default: always offered. When it returns false, the path is answered like an unknown one. */
  isOffered?(parts: HandlerParts): boolean
  /** Not in the reference: it only answers errors, repeats another operation, is for vendors or a page for people. */
  undocumented?: true
  summary: string
  description?: string
  query?: Record<string, { schema: JsonSchema; description: string }>
  /** Headers of this operation only. The examples of the reference send a header that has an `example`. */
  headers?: Record<string, { schema: JsonSchema; description: string; example?: string }>
  /**
   * Values of path parameters in the examples of the reference: fixed ones, or the value at `take` in the reply to an
   * earlier call. Default of the earlier `body`: the example of its schema.
   */
  example?: {
    path?: Record<string, string>
    earlier?: { operation: Operation; query?: string; body?: object; take: readonly (string | number)[] }
  }
  body?: {
    schema: JsonSchema
    /** `text`: the limit of `BODY_LIMIT_BYTES`, which also lowers the limits of other text operations. */
    limitBytes: number | 'text'
    /** Default: `pass` with `passesOn`, else `refuse`. */
    nul?: Unstorable
    /** Sent with 200 instead of an error about the body. */
    answerWhenBad?: object
    /** The handler also gets the bytes, as `request.bodyBytes`. */
    keepsBytes?: true
    /**
     * The body goes on to a vendor. Its bytes are kept. Duplicate members are refused, because the vendor could read
     * another `model` than the one that is charged. Another thread parses a large body.
     */
    passesOn?: true
    /** The handler takes milliseconds, so even a small body waits for a turn of its organization. */
    takesTurns?: true
    /** Also takes `multipart/form-data` up to this size, which is read as the JSON object of its fields. */
    formBytesMax?: number
    /** Schema of the form in the reference. Left out: `schema`. */
    formSchema?: JsonSchema
    /** Returns false when the body need not be parsed. It is dropped and answered like invalid JSON. */
    isWanted?(parts: HandlerParts, request: EdgeRequest): boolean
  }
  /** Response to HEAD without calling `handle`: for a GET that opens an endless stream or has an effect. */
  head?: { status: number; headers: Record<string, string> }
  replies: Record<
    number,
    {
      description: string
      schema?: JsonSchema
      contentType?: string
      /** Also sent as this type of text, when the request asks for it. */
      alsoAs?: `text/${string}`
      /** Headers of this reply only, each with its description. */
      headers?: Record<string, string>
    }
  >
  /** Presents an error in a special format; undefined: the envelope of the area applies. */
  presentApiError?(apiError: ApiError, request: EdgeRequest): PresentedError | undefined
  handle(parts: HandlerParts): Handle
}

export type MethodAndPath = `${Operation['method']} /${string}`

/** `serve` is for a handler that keeps no state between requests. */
type OperationRow = Omit<Operation, 'id' | 'method' | 'path' | 'area' | 'access' | 'handle'> &
  (
    | Pick<Operation, 'handle'>
    | { serve(parts: HandlerParts, request: EdgeRequest, reply: EdgeReply): unknown }
  )

export function clientOperation(id: string, route: MethodAndPath, area: Area, row: OperationRow): Operation {
  return { ...named(id, route), ...handled(row), area, access: 'api-key' }
}

export function operatorOperation(id: string, route: MethodAndPath, row: OperationRow): Operation {
  return { ...named(id, route), ...handled(row), area: 'admin', access: 'admin' }
}

/** Operation that needs no key. Default of `area`: `video`. */
export function openOperation(
  id: string,
  route: MethodAndPath,
  row: OperationRow & { area?: Area },
): Operation {
  const { area = 'video', ...rest } = row
  return { ...named(id, route), ...handled(rest), area, access: 'open' }
}

/** Splits a route such as `GET /v1/models`. */
export function named(id: string, route: MethodAndPath): Pick<Operation, 'id' | 'method' | 'path'> {
  const at = route.indexOf(' ')
  return { id, method: route.slice(0, at) as Operation['method'], path: route.slice(at + 1) }
}

function handled(row: OperationRow) {
  if ('handle' in row) return row
  const { serve, ...rest } = row
  return {
    ...rest,
    handle: (parts: HandlerParts) => (request: EdgeRequest, reply: EdgeReply) => serve(parts, request, reply),
  }
}

export interface PresentedError {
  status: number
  headers: Record<string, string>
  body: string
}

export type AnswerMcp = (request: EdgeRequest, reply: EdgeReply, parts: HandlerParts) => Promise<unknown>

/** Parts for handlers: the use cases, and the state of the edge. */
export interface HandlerParts extends VersionRule {
  app: App
  metrics: Metrics
  log: Log
  drain: DrainState
  clock: Clock
  /** Undefined: there are no admin endpoints. */
  admin: AdminAccess | undefined
  forwarded: Forwarded
  /** Serves the Model Context Protocol. Undefined: `/mcp` does not exist. */
  answerMcp?: AnswerMcp | undefined
  /** Undefined: the pages of the console were not built. */
  consoleFiles?: ConsoleFiles | undefined
}
