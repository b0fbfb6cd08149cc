import { asApiError } from '../../domain/api-error.ts'
import type { LogFields } from '../../ports/log.ts'
import { redact } from './redact.ts'

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

export function cleanFields(fields: LogFields): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (isField(name) && value !== undefined) cleaned[name] = cleanValue(FIELD_KINDS[name], value)
  }
  return cleaned
}

/** Returns undefined, which JSON leaves out, when the value is not of its kind. */
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

export interface DescribedError {
  name: string
  code?: string
  text: string
  /** Name and code of the cause. */
  cause?: string
  /** Stack frames of an unexpected error. */
  frames?: string[]
}

const TEXT_CHARACTERS = 300
const FRAMES_MAX = 12

/** Describes a thrown value without secrets, for the log. */
export function describeError(error: unknown): DescribedError {
  try {
    return describe(error)
  } catch {
    // A getter of the thrown value may throw, and logging must not.
    return { name: typeof error, text: 'cannot be described' }
  }
}

function describe(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, text: safeText(String(error)) }
  const described: DescribedError = { name: safeName(error.name), text: safeText(error.message) }
  const code = codeOf(error)
  if (code !== undefined) described.code = code
  if (error.cause !== undefined) described.cause = describeCause(error.cause)
  if (asApiError(error) === undefined) described.frames = framesOf(error)
  return described
}

function safeText(text: string): string {
  return redact(text, { maxCharacters: TEXT_CHARACTERS })
}

function safeName(name: unknown): string {
  return typeof name === 'string' ? redact(name, { maxCharacters: 60 }) : 'Error'
}

function codeOf(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? safeName(String(code)) : undefined
}

function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  const code = codeOf(cause)
  return code === undefined ? safeName(cause.name) : `${safeName(cause.name)} ${code}`
}

/** Returns the stack without the message at its beginning, which may contain anything. */
function framesOf(error: Error): string[] {
  const stack = typeof error.stack === 'string' ? error.stack : ''
  const messageAt = error.message === '' ? -1 : stack.indexOf(error.message)
  const afterMessage = messageAt === -1 ? stack : stack.slice(messageAt + error.message.length)
  return afterMessage
    .split('\n')
    .filter((line) => /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim().replace(/^at /, ''))
}
