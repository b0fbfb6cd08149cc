import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'

/** What in a body says that the reply failed, in the middle of a stream or in place of a reply; undefined: nothing. */
export function errorIn(body: JsonObject): unknown {
  const { error, object, base_resp: status, x_groq: beside } = body
  if (isSaid(error) || object === 'error') return body
  if (isJsonObject(beside) && isSaid(beside.error)) return { error: beside.error }
  return isJsonObject(status) ? errorOfStatus(status) : undefined
}

/** Some vendors have the member in every chunk, and leave it empty. */
function isSaid(error: unknown): boolean {
  if (isJsonObject(error)) return Object.keys(error).length > 0
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** One vendor's own way, which may stand beside a good `finish_reason`. */
function errorOfStatus({ status_code: code, status_msg: message }: JsonObject): unknown {
  if (typeof code !== 'number' || code === 0) return undefined
  return { error: { message, code: CODES.get(code) } }
}

/** Its numbers, in the words that others have for them. */
const CODES: ReadonlyMap<number, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1039, 'rate_limit_exceeded'],
  [2013, 'invalid_request_error'],
])

/** Something on the wire that no reading makes sense of. Its message is for people. */
export class StreamFormatError extends Error {
  constructor(what: string) {
    super(`The provider's reply is broken: ${what}.`)
    this.name = 'StreamFormatError'
  }
}
