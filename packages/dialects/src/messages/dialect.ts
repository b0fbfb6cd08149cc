import type { ClientDialect, VendorDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../json/json-object.ts'
import { RequestError } from '../request-error.ts'
import { checkCountTokensRequest, checkMessagesRequest } from './check/check-request.ts'
import { messagesPassthrough } from './passthrough/passthrough.ts'
import { readMessagesRequest } from './read-request.ts'
import { readMessagesReply, readMessagesStream } from './read-stream.ts'
import { messagesReferenceVendorState, referencesInMessages } from './references.ts'
import { MESSAGES_ERROR, writeMessagesError } from './write-error.ts'
import { writeMessagesRequest } from './write-request.ts'
import { writeMessagesReply, writeMessagesStream } from './write-stream.ts'

export const messagesClient: ClientDialect = {
  check(body, operation, problemOfUrl) {
    if (operation === 'create') checkMessagesRequest(body, problemOfUrl)
    else checkCountTokensRequest(body, problemOfUrl)
  },
  readRequest: readMessagesRequest,
  writeStream: writeMessagesStream,
  writeReply: writeMessagesReply,
  writeError: writeMessagesError,
  errorSchema: MESSAGES_ERROR,
  idPrefix: 'msg',
  requestIdHeader: 'request-id',
  outputBounds: ['max_tokens'],
  decisive: ['thread'],
  findReferences: referencesInMessages,
  referencesVendorState: messagesReferenceVendorState,
  // The official client sends the whole conversation when it gets this code.
  detailsOfUnknown: (param) =>
    param === 'thread.previous_message_id' ? { error_code: 'thread_not_found' } : undefined,
  checkCountable: refuseRestOfThread,
  hostedCallBound: (tool) => tool.max_uses,
  namesOtherModels,
  passthrough: messagesPassthrough,
}

export const messagesVendor: VendorDialect = {
  writeRequest: writeMessagesRequest,
  readStream: readMessagesStream,
  readReply: readMessagesReply,
  hidesThoughts: false,
}

/** Only the newest turn of a continued thread is in the request: the vendor has the rest, and so the count. */
function refuseRestOfThread({ thread }: JsonObject): void {
  if (Object(thread).type !== 'continue') return
  throw new RequestError('invalid_parameter', {
    param: 'thread',
    message: 'The vendor keeps this thread and did not count it: send the whole conversation in messages.',
  })
}

/** Whether the request names advisors, or models that the vendor itself falls back to. */
function namesOtherModels({ fallbacks, tools }: Readonly<JsonObject>): boolean {
  const isAdvisor = (tool: unknown) => String(Object(tool).type).startsWith('advisor')
  return (Array.isArray(fallbacks) && fallbacks.length > 0) || (Array.isArray(tools) && tools.some(isAdvisor))
}
