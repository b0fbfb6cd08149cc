import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import type { RequestError } from '../request-error.ts'
import { isNil } from '../values/values.ts'
import { invalidParameter, missingParameter } from './bad-parameter.ts'

/** Completes "<param> ..." for a URL that a vendor must not fetch; undefined: the vendor may fetch the URL. */
export type FindUrlProblem = (url: string) => string | undefined

/**
 * A problem in a request, and its position. Checks return the first problem or nothing. The path is built only on the
 * way back from a problem, so a valid request does not pay for it.
 */
export interface RequestProblem {
  path: string
  /** Completes "<path> ..."; undefined: the member is missing. */
  problem: string | undefined
}

export function prefixPath(path: string, found: RequestProblem | undefined): RequestProblem | undefined {
  return found === undefined ? undefined : { path: `${path}.${found.path}`, problem: found.problem }
}

export function requestErrorOf({ path, problem }: RequestProblem): RequestError {
  return problem === undefined ? missingParameter(path) : invalidParameter(path, problem)
}

/** Requires a string, which may be empty. */
export function needText(object: JsonObject, name: string): RequestProblem | undefined {
  const value = object[name]
  if (typeof value === 'string') return undefined
  return { path: name, problem: isNil(value) ? undefined : 'must be a string' }
}

/** Requires a string that is not empty: a name, an id. */
export function needName(object: JsonObject, name: string): RequestProblem | undefined {
  return object[name] === '' ? { path: name, problem: 'must not be empty' } : needText(object, name)
}

export function optionalText(object: JsonObject, name: string): RequestProblem | undefined {
  const value = object[name]
  return isNil(value) || typeof value === 'string' ? undefined : { path: name, problem: 'must be a string' }
}

export function optionalBoolean(object: JsonObject, name: string): RequestProblem | undefined {
  const value = object[name]
  return isNil(value) || typeof value === 'boolean'
    ? undefined
    : { path: name, problem: 'must be true or false' }
}

export function optionalObject(object: JsonObject, name: string): RequestProblem | undefined {
  const value = object[name]
  return isNil(value) || isJsonObject(value) ? undefined : { path: name, problem: 'must be an object' }
}

export function optionalNumber(
  object: JsonObject,
  name: string,
  { min, max }: { min: number; max: number },
): RequestProblem | undefined {
  const value = object[name]
  if (isNil(value) || (typeof value === 'number' && value >= min && value <= max)) return undefined
  return { path: name, problem: `must be a number from ${min} to ${max}` }
}

/** The first problem among the members of an array. */
export function problemAmong(
  values: readonly unknown[],
  check: (value: JsonObject, problemOfUrl: FindUrlProblem) => RequestProblem | undefined,
  problemOfUrl: FindUrlProblem,
): RequestProblem | undefined {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (!isJsonObject(value)) return { path: String(index), problem: 'must be an object' }
    const found = check(value, problemOfUrl)
    if (found !== undefined) return prefixPath(String(index), found)
  }
  return undefined
}
