import type { Answer } from '../answer.ts'
import type { Envelope } from '../dialect.ts'
import { newItemIds, wholeItem } from './items.ts'
import { responseObject, statusOf } from './response-object.ts'
import type { StoredItems } from './stored-items.ts'

export function writeResponse(answer: Answer, envelope: Envelope, stored: StoredItems): object {
  const output = answer.blocks.map((block) =>
    wholeItem(block, newItemIds(block, envelope.newId), { ...envelope, stored }),
  )
  return responseObject(answer, envelope, { id: envelope.newId('resp'), status: statusOf(answer), output })
}
