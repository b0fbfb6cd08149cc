import type { TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { readResponsesRequest } from './read-request.ts'
import { streamResponse } from './write-stream.ts'
import { writeResponse } from './write-whole.ts'

export const responses: TextDialect = {
  read: readResponsesRequest,
  problem: writeErrorObject,
  requestIdHeader: 'x-request-id',
  whole: writeResponse,
  stream: streamResponse,
}
