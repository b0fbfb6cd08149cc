import type { LogEvent } from './log-events.ts'
import type { TextFigures } from './usage.ts'

/**
 * The only facts a log line may carry. A name that is not here cannot be logged: bodies, queries, links,
 * prompts and keys have no name.
 */
export interface LogFields {
  requestId?: string
  operation?: string
  method?: string
  status?: number
  durationMs?: number
  organizationId?: string
  userId?: string
  keyId?: string
  taskId?: string
  provider?: string
  code?: string
  reason?: string
  count?: number
  port?: number
  engine?: string
  /** Written as its name, its code and a redacted, shortened text. */
  error?: unknown
}

/** The event's sentence stands in its table, so that no line is built from a request. */
export interface Log {
  debug(event: LogEvent, fields?: LogFields): void
  info(event: LogEvent, fields?: LogFields): void
  warn(event: LogEvent, fields?: LogFields): void
  error(event: LogEvent, fields?: LogFields): void
}

/** What is known of a request when its answer is complete. Every word is ours; nothing a client wrote is in it. */
export interface FinishedRequest {
  requestId: string
  /** `unknown` where no operation has this path and method. */
  operation: string
  method: string
  status: number
  durationMs: number
  /** undefined when the key was not recognised. */
  organizationId: string | undefined
  keyId: string | undefined
  userId?: string | undefined
  /** Of the error that was answered. */
  code?: string | undefined
  /** The model that served a text reply. */
  servedBy?: string | undefined
  /** What a text reply used and cost; left out where the client left before it was known. */
  usage?: TextFigures | undefined
}

/** Writes the line of one request. Apart from other logging because it happens on every request and must be cheap. */
export type LogRequest = (request: FinishedRequest) => void
