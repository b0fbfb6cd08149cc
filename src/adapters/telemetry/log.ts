import { type DestinationStream, destination as openDestination, pino } from 'pino'
import type { Log, LogFields } from '../../ports/log.ts'
import { describeError } from './describe-error.ts'
import { redact } from './redact.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface FlushableLog extends Log {
  /** Resolves when everything logged so far has been handed to the operating system. */
  flush(): Promise<void>
}

/** Lines are gathered up to this size or for this long, so that a request costs no system call. */
const BUFFER_BYTES = 8_192
const FLUSH_EVERY_MS = 1_000
const FLUSH_PATIENCE_MS = 1_000
/** When nobody reads our output we drop lines rather than fill the memory. */
const BUFFER_BYTES_MAX = 8 * 1024 * 1024

/** JSON lines on standard error: standard output stays for people and pipes. */
export function createLog(options: { level: LogLevel; destination?: DestinationStream }): FlushableLog {
  const { stream, flush } = options.destination ? unbuffered(options.destination) : openStandardError()
  const writer = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: createTimestamp(),
      messageKey: 'event',
      formatters: { level: (label) => ({ level: label }) },
      serializers: {},
    },
    stream,
  )
  return {
    debug: (event, fields) => {
      if (writer.isLevelEnabled('debug')) writer.debug(allowed(fields), event)
    },
    info: (event, fields) => writer.info(allowed(fields), event),
    warn: (event, fields) => writer.warn(allowed(fields), event),
    error: (event, fields) => writer.error(allowed(fields), event),
    flush,
  }
}

/** Writing a date out costs as much as half a line, and a busy server logs many lines in one millisecond. */
function createTimestamp(): () => string {
  let writtenMs = Number.NaN
  let written = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== writtenMs) {
      writtenMs = nowMs
      written = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return written
  }
}

/** The types forbid other names already; this holds when somebody gets round the types. */
const FIELD_KINDS = {
  requestId: 'string',
  operation: 'string',
  method: 'string',
  status: 'number',
  durationMs: 'number',
  organizationId: 'string',
  userId: 'string',
  keyId: 'string',
  taskId: 'string',
  provider: 'string',
  code: 'string',
  reason: 'text',
  count: 'number',
  port: 'number',
  engine: 'string',
  error: 'error',
} as const satisfies Record<keyof LogFields, 'string' | 'number' | 'text' | 'error'>

const KINDS = new Map<string, 'string' | 'number' | 'text' | 'error'>(Object.entries(FIELD_KINDS))
const FIELD_CHARACTERS = 200

function allowed(fields: LogFields | undefined): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  if (fields === undefined) return line
  for (const [name, value] of Object.entries(fields)) {
    switch (KINDS.get(name)) {
      case 'number':
        if (typeof value === 'number') line[name] = value
        break
      case 'string':
        if (typeof value === 'string') line[name] = value.slice(0, FIELD_CHARACTERS)
        break
      case 'text':
        if (typeof value === 'string') line[name] = redact(value, { maxCharacters: FIELD_CHARACTERS })
        break
      case 'error':
        line[name] = describeError(value)
        break
    }
  }
  return line
}

interface Output {
  stream: DestinationStream
  flush(): Promise<void>
}

function unbuffered(stream: DestinationStream): Output {
  return { stream, flush: () => Promise.resolve() }
}

/** pino flushes what is left when the process exits or crashes; only kill -9 loses the last second. */
function openStandardError(): Output {
  const stream = openDestination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    maxLength: BUFFER_BYTES_MAX,
    periodicFlush: FLUSH_EVERY_MS,
  })
  return { stream, flush: () => flushed(stream) }
}

/** Never fails and never hangs: a log that cannot be written must not keep a server from stopping. */
async function flushed(stream: ReturnType<typeof openDestination>): Promise<void> {
  const done = Promise.withResolvers<void>()
  const timer = setTimeout(done.resolve, FLUSH_PATIENCE_MS)
  stream.flush(() => done.resolve())
  await done.promise
  clearTimeout(timer)
}
