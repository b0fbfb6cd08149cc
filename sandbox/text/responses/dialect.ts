import type { ModelReply } from '../answer.ts'
import type { Envelope, TextDialect } from '../dialect.ts'
import { writeErrorObject } from '../error-object.ts'
import { newItemIds, wholeItem } from './items.ts'
import { readResponsesRequest } from './read-request.ts'
import { responseObject, statusOf } from './response-object.ts'
import { createStoredItems, type ReplyItems } from './stored-items.ts'
import { streamResponse } from './write-stream.ts'

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

function writeResponse(answer: ModelReply, envelope: Envelope, stored: ReplyItems): object {
  const output = answer.blocks.map((block) =>
    wholeItem(block, newItemIds(block, envelope.newId), { ...envelope, stored }),
  )
  return responseObject(answer, envelope, { id: envelope.newId('resp'), status: statusOf(answer), output })
}
