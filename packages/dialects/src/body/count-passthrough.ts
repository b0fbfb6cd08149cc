import { countBody, countRequest } from '../count/count-tokens.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import type { JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'

/** Counts the input of a request that passes unchanged. If it cannot be converted, its bytes are counted. */
export function countPassthrough(input: {
  endpoint: TextEndpoint
  body: { bytes: { length: number }; value: JsonObject }
}): number {
  const { endpoint, body } = input
  try {
    return countRequest(CLIENT_DIALECTS[endpoint].readRequest(body.value))
  } catch (error) {
    if (error instanceof RequestError) return countBody(body).tokens
    throw error
  }
}
