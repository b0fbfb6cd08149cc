import type { FinishedRequest, Log, LogFields, LogRequest } from '../../ports/log.ts'
import { LOG_EVENTS, type LogEvent } from '../../ports/log-events.ts'
import { describeError } from './describe-error.ts'
import { createLineBuffer, type LineBuffer } from './line-buffer.ts'
import { redact } from './redact.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface FlushableLog extends Log {
  logRequest: LogRequest
  /** Resolves when everything logged so far has been handed to the operating system. */
  flush(): Promise<void>
}

type Destination = Pick<LineBuffer, 'write'> & Partial<LineBuffer>

type LogEntry =
  | { kind: 'event'; atMs: number; level: WrittenLevel; event: LogEvent; fields: LogFields | undefined }
  | { kind: 'request'; atMs: number; request: FinishedRequest }

type WrittenLevel = Exclude<LogLevel, 'silent'>

const PID = process.pid
const STANDARD_ERROR = 2
const RANKS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }
const WAITING_MAX = 64

/**
 * Writes JSON lines to standard error. Lines of requests are written in batches, which costs a fifth of single writes;
 * warnings and errors are handed to the operating system at once.
 */
export function createLog(input: { level: LogLevel; destination?: Destination }): FlushableLog {
  const { level, destination = openStandardError() } = input
  const waiting: LogEntry[] = []
  const formatTime = createTimeFormat()
  keepWriting({ writeOut, writeLast })

  return {
    debug: logger('debug'),
    info: logger('info'),
    warn: logger('warn'),
    error: logger('error'),
    logRequest: RANKS.info < RANKS[level] ? () => {} : logRequest,
    async flush() {
      writeWaiting()
      await destination.flush?.()
    },
  }

  function logger(own: WrittenLevel): Log['info'] {
    if (RANKS[own] < RANKS[level]) return () => {}
    const isUrgent = RANKS[own] >= RANKS.warn
    return (event, fields) => {
      waiting.push({ kind: 'event', atMs: Date.now(), level: own, event, fields })
      if (isUrgent) writeOut()
      else if (waiting.length >= WAITING_MAX) writeWaiting()
    }
  }

  function logRequest(request: FinishedRequest): void {
    waiting.push({ kind: 'request', atMs: Date.now(), request })
    if (waiting.length >= WAITING_MAX) writeWaiting()
  }

  function writeWaiting(): void {
    for (const entry of waiting) {
      const time = formatTime(entry.atMs)
      destination.write(entry.kind === 'request' ? requestLine(entry.request, time) : eventLine(entry, time))
    }
    waiting.length = 0
  }

  function writeOut(): void {
    writeWaiting()
    destination.handOver?.()
  }

  function writeLast(): void {
    writeWaiting()
    destination.writeLast?.()
  }
}

let standardError: LineBuffer | undefined

/** All logs of the process share one buffer: two would write into each other's lines. */
function openStandardError(): LineBuffer {
  standardError ??= createLineBuffer(STANDARD_ERROR)
  return standardError
}

/** Caches the last date: formatting it costs half as much as a line, and a busy server logs many lines per millisecond. */
function createTimeFormat(): (atMs: number) => string {
  let writtenMs = Number.NaN
  let written = ''
  return (atMs) => {
    if (atMs !== writtenMs) {
      writtenMs = atMs
      written = new Date(atMs).toISOString()
    }
    return written
  }
}

/** The fields are the gateway's own ids and names, which need no escaping. */
function requestLine(request: FinishedRequest, time: string): string {
  const { requestId, operation, method, status, durationMs, organizationId, userId, keyId } = request
  const what = `"requestId":"${requestId}","operation":"${operation}","method":"${method}","status":${status}`
  const user = userId === undefined ? '' : `,"userId":"${userId}"`
  const who = keyId === undefined ? '' : `,"organizationId":"${organizationId}"${user},"keyId":"${keyId}"`
  const tookMs = Math.round(durationMs * 100) / 100
  return `{"level":"info","time":"${time}","pid":${PID},${what},"durationMs":${tookMs}${who}${textOf(request)},"event":"request.finished","message":"${LOG_EVENTS['request.finished']}"}\n`
}

function textOf({ servedBy, code, usage }: FinishedRequest): string {
  const error = code === undefined ? '' : `,"code":"${code}"`
  const model = servedBy === undefined ? '' : `,"servedBy":${JSON.stringify(servedBy)}`
  if (usage === undefined) return error + model
  const asked = usage.askedModel === usage.model ? '' : `,"askedModel":${JSON.stringify(usage.askedModel)}`
  const { provider, inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, costMicros } = usage
  const tokens = `"inputTokens":${inputTokens},"cachedInputTokens":${cachedInputTokens},"cacheWriteTokens":${cacheWriteTokens},"outputTokens":${outputTokens}`
  return `${error}${model}${asked},"provider":${JSON.stringify(provider)},${tokens},"costMicros":${costMicros}`
}

function eventLine({ level, event, fields }: Extract<LogEntry, { kind: 'event' }>, time: string): string {
  const json = fields === undefined ? '{}' : JSON.stringify(clean(fields))
  const members = json === '{}' ? '' : `,${json.slice(1, -1)}`
  return `{"level":"${level}","time":"${time}","pid":${PID}${members},"event":"${event}","message":${JSON.stringify(LOG_EVENTS[event])}}\n`
}

/** Fields that may be logged, checked at runtime for code that avoids the types. */
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
} as const satisfies Record<keyof LogFields, FieldKind>

type FieldKind = 'string' | 'number' | 'text' | 'error'

const FIELD_CHARACTERS = 200

function clean(fields: LogFields): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (isField(name) && value !== undefined) cleaned[name] = cleanValue(FIELD_KINDS[name], value)
  }
  return cleaned
}

/** Returns undefined, which is left out, when the value is not of its kind. */
function cleanValue(kind: FieldKind, value: unknown): unknown {
  switch (kind) {
    case 'number':
      return typeof value === 'number' ? value : undefined
    case 'string':
      return typeof value === 'string' ? value.slice(0, FIELD_CHARACTERS) : undefined
    case 'text':
      return typeof value === 'string' ? redact(value, { maxCharacters: FIELD_CHARACTERS }) : undefined
    case 'error':
      return describeError(value)
  }
}

function isField(name: string): name is keyof LogFields {
  return Object.hasOwn(FIELD_KINDS, name)
}

interface LogWriter {
  writeOut(): void
  /** Called at the end of the process. */
  writeLast(): void
}

const WRITE_EVERY_MS = 500
const writers: LogWriter[] = []

/** All logs of a process share one timer and one exit listener until the process ends. */
function keepWriting(writer: LogWriter): void {
  if (writers.push(writer) > 1) return
  setInterval(() => forEachWriter('writeOut'), WRITE_EVERY_MS).unref()
  process.on('exit', () => forEachWriter('writeLast'))
}

function forEachWriter(act: keyof LogWriter): void {
  for (const writer of writers) writer[act]()
}
