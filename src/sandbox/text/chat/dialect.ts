import type { TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { readChatRequest } from './read-request.ts'
import { streamCompletion } from './write-stream.ts'
import { writeCompletion } from './write-whole.ts'

export const chat: TextDialect = {
  read: readChatRequest,
  problem: writeErrorObject,
  requestIdHeader: 'x-request-id',
  whole: writeCompletion,
  stream: streamCompletion,
}
