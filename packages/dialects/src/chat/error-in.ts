import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** The error in a body, in the middle of a stream or in place of a reply; undefined: the body has none. */
export function errorIn(body: JsonObject): unknown {
  const { error, object, base_resp: status, x_groq: beside } = body
  if (isSet(error) || object === 'error') return body
  if (isJsonObject(beside) && isSet(beside.error)) return { error: beside.error }
  return isJsonObject(status) ? errorOfStatus(status) : undefined
}

/** Whether the member holds an error. Some vendors have the member in every chunk, and leave it empty. */
function isSet(error: unknown): boolean {
  if (isJsonObject(error)) return Object.keys(error).length > 0
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** Error in `base_resp`, the status of one vendor, which may stand beside a good `finish_reason`. */
function errorOfStatus({ status_code: code, status_msg: message }: JsonObject): unknown {
  if (typeof code !== 'number' || code === 0) return undefined
  return { error: { message, code: CODES.get(code) } }
}

/** Codes of other vendors, by the status codes in `base_resp`. */
const CODES: ReadonlyMap<number, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1039, 'rate_limit_exceeded'],
  [2013, 'invalid_request_error'],
])

/** Reply that cannot be read. The message is for people. */
export class StreamFormatError extends Error {
  constructor(what: string) {
    super(`The provider's reply is broken: ${what}.`)
    this.name = 'StreamFormatError'
  }
}
