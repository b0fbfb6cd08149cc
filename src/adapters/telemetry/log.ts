import type { FinishedRequest, Log, LogFields, LogRequest } from '../../ports/log.ts'
import { LOG_EVENTS, type LogEvent } from '../../ports/log-events.ts'
import { cleanFields } from './clean-fields.ts'
import { messageOf } from './event-messages.ts'
import { createLineBuffer, type LineBuffer } from './line-buffer.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface FlushableLog extends Log {
  logRequest: LogRequest
  /** Resolves when the operating system has all entries logged so far, or after a bounded wait. */
  flush(): Promise<void>
}

type LogEntry = LoggedEvent | { kind: 'request'; atMs: number; request: FinishedRequest }

export interface LoggedEvent {
  kind: 'event'
  atMs: number
  level: WrittenLevel
  event: LogEvent
  fields: LogFields | undefined
}

/** Writes entries as lines, each with its line end. */
export interface LineFormat {
  time(atMs: number): string
  request(request: FinishedRequest, time: string): string
  event(entry: LoggedEvent, time: string): string
}

type WrittenLevel = Exclude<LogLevel, 'silent'>

const PID = process.pid
const STANDARD_ERROR = 2
const RANKS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }
const WAITING_MAX = 64
/**
 * Maximum number of lines of refused requests in `WRITE_EVERY_MS`. Further refusals are only counted, because an
 * overloaded process refuses thousands a second.
 */
const REFUSALS_PER_WRITE = 100
const REFUSED_STATUSES: ReadonlySet<number> = new Set([401, 402, 413, 429, 503])

/**
 * Writes lines to standard error. Lines of requests are written in batches, which costs a fifth of single
 * writes. Warnings and errors are handed to the operating system immediately.
 */
export function createLog(input: {
  level: LogLevel
  /** Format of the lines; default: JSON. */
  lines?: LineFormat
  destination?: Pick<LineBuffer, 'write'> & Partial<LineBuffer>
}): FlushableLog {
  const {
    level,
    lines = { time: createTimeFormat(), request: requestLine, event: eventLine },
    destination = openStandardError(),
  } = input
  const waiting: LogEntry[] = []
  let refusals = 0
  keepWriting({ writeOut: tick, writeLast })

  const log: Log = {
    debug: logger('debug'),
    info: logger('info'),
    warn: logger('warn'),
    error: logger('error'),
  }
  return {
    ...log,
    logRequest: RANKS.info < RANKS[level] ? () => {} : logRequest,
    async flush() {
      tick()
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
    if (isRefusal(request)) {
      refusals += 1
      if (refusals > REFUSALS_PER_WRITE) return
    }
    waiting.push({ kind: 'request', atMs: Date.now(), request })
    if (waiting.length >= WAITING_MAX) writeWaiting()
  }

  function writeWaiting(): void {
    for (const entry of waiting) {
      const time = lines.time(entry.atMs)
      destination.write(
        entry.kind === 'request' ? lines.request(entry.request, time) : lines.event(entry, time),
      )
    }
    waiting.length = 0
  }

  function writeOut(): void {
    writeWaiting()
    destination.handOver?.()
  }

  function tick(): void {
    const count = refusals - REFUSALS_PER_WRITE
    refusals = 0
    if (count > 0) log.info('request.refusals_left_out', { count })
    writeOut()
  }

  function writeLast(): void {
    tick()
    destination.writeLast?.()
  }
}

/** Tells whether the request was refused before a vendor was called. */
function isRefusal({ status, servedBy, usage }: FinishedRequest): boolean {
  return REFUSED_STATUSES.has(status) && servedBy === undefined && usage === undefined
}

let standardError: LineBuffer | undefined

/** Returns the buffer that all logs of the process share; two buffers would write into each other's lines. */
function openStandardError(): LineBuffer {
  standardError ??= createLineBuffer(STANDARD_ERROR)
  return standardError
}

/** Caches the last time, because formatting it costs half as much as a line. */
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

/** Formats a request. Its fields are the gateway's own ids and names, which need no escaping. */
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

function eventLine({ level, event, fields }: LoggedEvent, time: string): string {
  const json = fields === undefined ? '{}' : JSON.stringify(cleanFields(fields))
  const members = json === '{}' ? '' : `,${json.slice(1, -1)}`
  return `{"level":"${level}","time":"${time}","pid":${PID}${members},"event":"${event}","message":${JSON.stringify(messageOf(event))}}\n`
}

interface LogWriter {
  writeOut(): void
  /** Writes the rest, at the end of the process. */
  writeLast(): void
}

const WRITE_EVERY_MS = 500
const writers: LogWriter[] = []

/** Writes all logs of the process with one timer and one exit listener, until the process ends. */
function keepWriting(writer: LogWriter): void {
  if (writers.push(writer) > 1) return
  setInterval(() => forEachWriter('writeOut'), WRITE_EVERY_MS).unref()
  process.on('exit', () => forEachWriter('writeLast'))
}

function forEachWriter(act: keyof LogWriter): void {
  for (const writer of writers) writer[act]()
}
