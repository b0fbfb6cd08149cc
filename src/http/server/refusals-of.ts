import { isJsonObject } from '@sluice/dialects/json/json-object'
import type { NoteRefusal } from '../../app/requests/refusal-log.ts'
import type { FinishedRequest } from '../../ports/log.ts'
import type { LoggedOperation } from '../../ports/usage.ts'
import type { EdgeRequest } from '../edge-request.ts'
import { CLIENT_CLOSED_REQUEST } from './raw-answers.ts'

/** Operations whose requests are in the request log. */
export const LOGGED: { readonly [operationId: string]: LoggedOperation | undefined } = {
  createMessage: 'messages',
  createResponse: 'responses',
  compactResponse: 'responses',
  createChatCompletion: 'chat',
  createEmbeddings: 'embeddings',
  createTask: 'video.create',
  createVideo: 'video.create',
  createNativeTask: 'video.create',
}

/** Records refused requests of a valid key without a usage row. Leaves out 499, because its usage row may follow. */
export function refusalsOf(
  noteRefusal: NoteRefusal,
): (finished: FinishedRequest, request: EdgeRequest) => void {
  return ({ requestId, operation: id, status, durationMs, organizationId, keyId, userId, code }, request) => {
    const operation = LOGGED[id]
    if (operation === undefined || request.isRecorded || status === CLIENT_CLOSED_REQUEST) return
    if (organizationId === undefined || keyId === undefined || userId === undefined) return
    noteRefusal({
      ...{ id: requestId, organizationId, keyId, userId, operation, status },
      code: code ?? 'unknown',
      model: modelIn(request),
      durationMs: Math.round(durationMs),
    })
  }
}

/** All names of a catalog match; other text of a client is not kept. */
const MODEL_NAME = /^[\w.:/@-]{1,200}$/

function modelIn({ body }: EdgeRequest): string | null {
  const model = isJsonObject(body) ? body.model : undefined
  return typeof model === 'string' && MODEL_NAME.test(model) ? model : null
}
