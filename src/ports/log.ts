import type { LogEvent } from './log-events.ts'

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
