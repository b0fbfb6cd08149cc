import { invalidParameter, missingParameter } from '../canonical/bad-parameter.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { RequestError } from '../request-error.ts'
import { isNil } from '../values/values.ts'

/** Position in a body; undefined is the body itself. The path is built only when something is wrong there. */
export type BodyPath = { up: BodyPath; key: string | number } | undefined

export function missing(up: BodyPath, key: string | number): RequestError {
  return missingParameter(spell(up, key))
}

/** `demand` completes the message: "must be a string". */
export function invalid(up: BodyPath, key: string | number, demand: string): RequestError {
  return invalidParameter(spell(up, key), demand)
}

/** Callers run this before they check the values of `holder`: a missing member is reported before a wrong one. */
export function checkPresent(holder: JsonObject, keys: readonly string[], at: BodyPath): void {
  for (const key of keys) if (isNil(holder[key])) throw missing(at, key)
}

export function checkString(holder: JsonObject, key: string, at: BodyPath): void {
  const value = holder[key]
  if (!isNil(value) && typeof value !== 'string') throw invalid(at, key, 'must be a string')
}

export function checkBoolean(holder: JsonObject, key: string, at: BodyPath): void {
  const value = holder[key]
  if (!isNil(value) && typeof value !== 'boolean') throw invalid(at, key, 'must be a boolean')
}

function spell(up: BodyPath, key: string | number): string {
  let param = String(key)
  for (let place = up; place !== undefined; place = place.up) param = `${place.key}.${param}`
  return param
}
