import { ApiError } from '../../domain/api-error.ts'
import type { JsonObject } from '../../domain/json-object.ts'

export function missingParameter(param: string): ApiError {
  return new ApiError('missing_parameter', { param, message: `${param} is required.` })
}

/** `demand` says what the value must be: "must be a string". */
export function invalidParameter(param: string, demand: string): ApiError {
  return new ApiError('invalid_parameter', { param, message: `${param} ${demand}.` })
}

/**
 * A member that some readers of JSON take for another one, because they do not look at the case: a field that is known,
 * or a second spelling of one that is there too. What we check and what such a vendor reads would not be the same.
 */
export function misspelledName(body: JsonObject, known: ReadonlySet<string>): string | undefined {
  let others: Set<string> | undefined
  for (const name in body) {
    if (known.has(name) || PLAIN.test(name)) continue
    const folded = name.toUpperCase().toLowerCase()
    if (known.has(folded) || Object.hasOwn(body, folded) || others?.has(folded)) {
      if (folded !== name) return name
    }
    others ??= new Set()
    others.add(folded)
  }
  return undefined
}

const PLAIN = /^[a-z0-9_]+$/
