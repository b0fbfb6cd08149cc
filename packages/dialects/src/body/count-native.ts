import { ApiError } from '../../../../src/domain/api-error.ts'
import type { TextEndpoint } from '../../../../src/domain/catalog/dialects.ts'
import type { JsonObject } from '../../../../src/domain/json-object.ts'
import { countBody, countRequest } from '../count/count-tokens.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'

/** Our own count of a request that its vendor takes unchanged, also with fields that no conversion could carry. */
export function countNative({
  endpoint,
  body,
}: {
  endpoint: TextEndpoint
  body: { bytes: { length: number }; value: JsonObject }
}): number {
  try {
    return countRequest(CLIENT_DIALECTS[endpoint].readRequest(body.value))
  } catch (refusal) {
    if (refusal instanceof ApiError) return countBody(body).tokens
    throw refusal
  }
}
