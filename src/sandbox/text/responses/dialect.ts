import type { TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { readResponsesRequest } from './read-request.ts'
import { createStoredItems } from './stored-items.ts'
import { streamResponse } from './write-stream.ts'
import { writeResponse } from './write-whole.ts'

export function createResponses(): TextDialect {
  const stored = createStoredItems()
  return {
    read: (body) => readResponsesRequest(body, stored),
    problem: writeErrorObject,
    requestIdHeader: 'x-request-id',
    whole: (answer, envelope) => writeResponse(answer, envelope, stored),
    stream: (answer, envelope) => streamResponse(answer, envelope, stored),
  }
}
