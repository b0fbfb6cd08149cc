import type { Unstorable } from '@sluice/dialects/json/json-bounds'
import type { App } from '../app/app.ts'
import type { Role } from '../domain/access/operator-account.ts'
import type { ApiError } from '../domain/api-error.ts'
import type { JsonSchema } from '../domain/json/json-schema.ts'
import type { Clock } from '../ports/clock.ts'
import type { ConsoleFiles } from '../ports/console-files.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { AdminDoor } from './admin/admin-key-check.ts'
import type { Area, EdgeRequest } from './edge-request.ts'
import type { VersionRule } from './schema/read-version.ts'
import type { DrainState } from './server/draining.ts'
import type { Forwarded } from './server/forwarded.ts'
import type { Handle } from './step.ts'

/** Who may call: every client, the holder of an API key, or the holder of the admin key. */
export type Access = 'open' | 'api-key' | 'admin'

/** One row of the API: enough to route it, guard it, count it and document it. */
export interface Operation {
  /** Also the metric label and the `operationId` in OpenAPI. */
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  /** With `:name` for path parameters. */
  path: string
  area: Area
  access: Access
  /** The role that an operator needs in the admin API. Left out there: viewer for GET, operator for the rest. */
  role?: Role
  /** Also asked for in events of a WebSocket, which GET with an upgrade opens at the same path; only where there is a `body`. */
  takesSockets?: true
  /** Answered even while load is shed: what tells an operator how we are. */
  essential?: true
  /** Left out: always offered. With false, the path answers like an unknown one. */
  isOffered?(parts: HandlerParts): boolean
  /** Part of how errors are said, for vendors alone, or a page for people; not of what clients can ask: left out of the reference. */
  undocumented?: true
  summary: string
  description?: string
  query?: Record<string, { schema: JsonSchema; description: string }>
  /** The headers of this operation alone. `example`: the reference sends it, because the operation needs it. */
  headers?: Record<string, { schema: JsonSchema; description: string; example?: string }>
  /** For the example of the reference: shell lines that set what the path names, and values for it. */
  example?: { before?: string; path?: Record<string, string> }
  /**
   * `nul` is `refuse` when left out. `answerWhenBad` is said with 200 in place of what is wrong with a body.
   * `keepsBytes`: the handler also gets the bytes, as `request.bodyBytes`. A `limitBytes` of `text` is the setting for
   * text bodies, which also lowers the limits of other text operations.
   *
   * `passesOn`: a vendor gets these bytes, with another model in them. They are kept, may spell every character, and
   * give no member twice: else the vendor may take another model than the one that is charged. What would take long is
   * left to another thread.
   */
  body?: {
    schema: JsonSchema
    limitBytes: number | 'text'
    nul?: Unstorable
    answerWhenBad?: object
    keepsBytes?: true
    passesOn?: true
    /** False for a request whose body is not worth reading; it is then dropped, and called bad. */
    isWanted?(parts: HandlerParts, request: EdgeRequest): boolean
  }
  /** Answers HEAD, without calling `handle`: for a GET that opens an endless stream or uses something up. */
  head?: { status: number; headers: Record<string, string> }
  replies: Record<
    number,
    {
      description: string
      schema?: JsonSchema
      contentType?: string
      /** The headers of this reply alone, each with its description. */
      headers?: Record<string, string>
    }
  >
  /** An error in a form of its own; undefined: the request is for another address, or gets the envelope of its area. */
  presentApiError?(apiError: ApiError, request: EdgeRequest): PresentedError | undefined
  handle(parts: HandlerParts): Handle
}

/** An error as it is sent. */
export interface PresentedError {
  status: number
  headers: Record<string, string>
  body: string
}

/** A handler may use all of this: the use cases, and what the edge knows about itself. */
export interface HandlerParts extends VersionRule {
  app: App
  metrics: Metrics
  drain: DrainState
  clock: Clock
  /** undefined: there are no admin endpoints. */
  admin: AdminDoor | undefined
  forwarded: Forwarded
  /** undefined: there are no pages to show. */
  consoleFiles?: ConsoleFiles | undefined
}
