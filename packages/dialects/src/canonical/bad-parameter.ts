import type { JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'

export function missingParameter(param: string): RequestError {
  return new RequestError('missing_parameter', { param, message: `${param} is required.` })
}

/** `demand` completes the message: "must be a string". */
export function invalidParameter(param: string, demand: string): RequestError {
  return new RequestError('invalid_parameter', { param, message: `${param} ${demand}.` })
}

/**
 * Finds a member that a vendor which ignores case would take for another: for a known field, or for another member of
 * the body. The gateway would check one value, and the vendor would read the other.
 */
export function misspelledName(body: JsonObject, known: ReadonlySet<string>): string | undefined {
  let others: Set<string> | undefined
  for (const name in body) {
    if (known.has(name) || PLAIN.test(name)) continue
    const folded = foldedName(name)
    if (known.has(folded) || Object.hasOwn(body, folded) || others?.has(folded)) {
      if (folded !== name) return name
    }
    others ??= new Set()
    others.add(folded)
  }
  return undefined
}

const PLAIN = /^[a-z0-9_]+$/

/** The name as a vendor that ignores case reads it: `ſ` is an `s`. */
export const foldedName = (name: string): string => name.toUpperCase().toLowerCase()
