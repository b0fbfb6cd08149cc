import { isJsonObject } from '../hub/json-object.ts'

/**
 * Free text for a custom tool travels as the one string of an object, since this wire knows only objects. A model that
 * did not keep to it is taken at its word.
 */
export function unwrapTextInput(json: string): string {
  const value = parseOrNone(json)
  if (isJsonObject(value) && typeof value.input === 'string') return value.input
  return typeof value === 'string' ? value : json
}

export function parseOrNone(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
