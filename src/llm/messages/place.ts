import type { ApiError } from '../../domain/api-error.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import { invalidParameter, missingParameter } from '../canonical/bad-parameter.ts'
import { isNil } from '../values/values.ts'

/** Where in a body we are; undefined is the body itself. It is spelled out only when something is wrong there. */
export type Place = { up: Place; key: string | number } | undefined

export function missing(up: Place, key: string | number): ApiError {
  return missingParameter(spell(up, key))
}

/** `demand` says what the value must be: "must be a string". */
export function invalid(up: Place, key: string | number, demand: string): ApiError {
  return invalidParameter(spell(up, key), demand)
}

/** Looked at before any value is: what is missing is told before what is wrong. */
export function checkPresent(holder: JsonObject, keys: readonly string[], at: Place): void {
  for (const key of keys) if (isNil(holder[key])) throw missing(at, key)
}

export function checkString(holder: JsonObject, key: string, at: Place): void {
  const value = holder[key]
  if (!isNil(value) && typeof value !== 'string') throw invalid(at, key, 'must be a string')
}

export function checkBoolean(holder: JsonObject, key: string, at: Place): void {
  const value = holder[key]
  if (!isNil(value) && typeof value !== 'boolean') throw invalid(at, key, 'must be a boolean')
}

function spell(up: Place, key: string | number): string {
  let param = String(key)
  for (let place = up; place !== undefined; place = place.up) param = `${place.key}.${param}`
  return param
}
