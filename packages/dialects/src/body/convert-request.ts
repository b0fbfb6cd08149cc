import type { RequestTarget, WrittenRequest } from '../canonical/codec.ts'
import type { TextRequest } from '../canonical/request.ts'
import type { Dialect, TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../dialects.ts'
import type { JsonObject } from '../json/json-object.ts'
import { keepNumbers } from '../values/keep-numbers.ts'

/** The two dialects and the target of a conversion. Plain data: it may cross to another thread. */
export interface Conversion {
  endpoint: TextEndpoint
  dialect: Dialect
  target: RequestTarget
}

/** Writes a client's request for the vendor. Throws a `RequestError` for a request that the vendor cannot serve. */
export function convertRequest(
  { bytes, value }: { bytes: Buffer; value: JsonObject },
  { endpoint, dialect, target }: Conversion,
): { request: TextRequest; written: WrittenRequest } {
  const request = CLIENT_DIALECTS[endpoint].readRequest(keepNumbers(value, bytes))
  return { request, written: VENDOR_DIALECTS[dialect].writeRequest(request, target) }
}
