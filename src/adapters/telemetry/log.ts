import type { Log, LogFields } from '../../ports/log.ts'
import { describeError } from './describe-error.ts'
import { createLineBuffer } from './line-buffer.ts'
import { redact } from './redact.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface FlushableLog extends Log {
  /** Resolves when everything logged so far has been handed to the operating system. */
  flush(): Promise<void>
}

interface Destination {
  write(line: string): void
  flush?(): Promise<void>
}

interface Entry {
  level: WrittenLevel
  atMs: number
  event: string
  fields: LogFields | undefined
}

type WrittenLevel = Exclude<LogLevel, 'silent'>

const STANDARD_ERROR = 2
const RANKS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }
const WAITING_MAX = 64
const WRITE_EVERY_MS = 500

/**
 * JSON lines on standard error: standard output stays for people and pipes. Lines of every request are written out many
 * at a time, which between other work costs a fifth; warnings and errors go at once.
 */
export function createLog({
  level,
  destination = createLineBuffer(STANDARD_ERROR),
}: {
  level: LogLevel
  destination?: Destination
}): FlushableLog {
  const waiting: Entry[] = []
  const formatTime = createTimeFormat()
  setInterval(writeWaiting, WRITE_EVERY_MS).unref()
  process.prependListener('exit', writeWaiting)

  return {
    debug: logger('debug'),
    info: logger('info'),
    warn: logger('warn'),
    error: logger('error'),
    async flush() {
      writeWaiting()
      await destination.flush?.()
    },
  }

  function logger(own: WrittenLevel): Log['info'] {
    if (RANKS[own] < RANKS[level]) return () => {}
    const waitingMax = RANKS[own] >= RANKS.warn ? 1 : WAITING_MAX
    return (event, fields) => {
      waiting.push({ level: own, atMs: Date.now(), event, fields })
      if (waiting.length >= waitingMax) writeWaiting()
    }
  }

  function writeWaiting(): void {
    for (const entry of waiting) destination.write(writeLine(entry, formatTime))
    waiting.length = 0
  }
}

/** Writing a date out costs as much as half a line, and a busy server logs many lines in one millisecond. */
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

function writeLine({ level, atMs, event, fields }: Entry, formatTime: (atMs: number) => string): string {
  const written = fields === undefined ? '' : writeFields(fields)
  return `{"level":"${level}","time":"${formatTime(atMs)}","pid":${process.pid}${written},"event":${quote(event)}}\n`
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
} as const satisfies Record<keyof LogFields, FieldKind>

type FieldKind = 'string' | 'number' | 'text' | 'error'

const FIELD_CHARACTERS = 200

function writeFields(fields: LogFields): string {
  let line = ''
  for (const name of Object.keys(fields)) {
    if (!isField(name)) continue
    const written = writeValue(FIELD_KINDS[name], fields[name])
    if (written !== undefined) line += `,"${name}":${written}`
  }
  return line
}

function isField(name: string): name is keyof LogFields {
  return Object.hasOwn(FIELD_KINDS, name)
}

function writeValue(
  kind: 'string' | 'number' | 'text' | 'error' | undefined,
  value: unknown,
): string | undefined {
  switch (kind) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
    case 'string':
      return typeof value === 'string' ? quote(value.slice(0, FIELD_CHARACTERS)) : undefined
    case 'text':
      return typeof value === 'string' ? quote(redact(value, { maxCharacters: FIELD_CHARACTERS })) : undefined
    case 'error':
      return value === undefined ? undefined : JSON.stringify(describeError(value))
  }
}

const PLAIN = /^[\w .,;:/+()-]*$/

/** Nearly every value is plain; only the others need to be looked at letter by letter. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
