import { ApiError } from '../../../domain/api-error.ts'
import { hasAtMost } from '../../../domain/characters.ts'
import type { JsonObject } from '../../../domain/json-object.ts'
import { SHORT_TEXT_LENGTH_MAX } from './bounds.ts'

interface Bounds {
  min: number
  max: number
}

/** Beyond these a JSON number has lost digits on its way to us, and would be forwarded as another one. */
const EXACT: Bounds = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

/** In all of them `null` counts as not given. */
export function readInteger(body: JsonObject, name: string, bounds: Bounds = EXACT): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max) {
    return value
  }
  throw wrong(name, `an integer from ${bounds.min} to ${bounds.max}`)
}

export function readBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw wrong(name, 'true or false')
}

/** Trimmed; nothing but blanks counts as not given. */
export function readShortText(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value.trim() : undefined
  if (text === undefined || !hasAtMost(SHORT_TEXT_LENGTH_MAX, text)) {
    throw wrong(name, `a string of at most ${SHORT_TEXT_LENGTH_MAX} characters`)
  }
  return text === '' ? undefined : text
}

function wrong(name: string, expected: string): ApiError {
  return new ApiError('invalid_parameter', { param: name, message: `${name} must be ${expected}.` })
}
