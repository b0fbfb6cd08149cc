import type { LogEvent } from './log-events.ts'
import type { TextFigures } from './usage.ts'

/** Fields that the code may pass to the log. None is meant for bodies, queries, links, prompts or keys. */
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
  /** Written as name, code and a redacted, shortened text. */
  error?: unknown
}

/** The sentence of a line comes from `LOG_EVENTS` and never from a request. */
export interface Log {
  debug(event: LogEvent, fields?: LogFields): void
  info(event: LogEvent, fields?: LogFields): void
  warn(event: LogEvent, fields?: LogFields): void
  error(event: LogEvent, fields?: LogFields): void
}

/** Facts of a finished request. No fact is text of a client. */
export interface FinishedRequest {
  requestId: string
  /** `unknown` where no operation has this path and method, or the head was refused. */
  operation: string
  method: string
  status: number
  durationMs: number
  /** undefined when the key was not recognised. */
  organizationId: string | undefined
  keyId: string | undefined
  userId?: string | undefined
  code?: string | undefined
  servedBy?: string | undefined
  /** Figures of a text reply; left out when the client left before they were known. */
  usage?: TextFigures | undefined
}

/** Writes the line of one request. It is separate from other logging because it runs on every request and must be cheap. */
export type LogRequest = (request: FinishedRequest) => void
