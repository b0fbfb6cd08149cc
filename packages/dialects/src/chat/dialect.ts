import type { ClientDialect, VendorDialect } from '../contract/dialect.ts'
import { ERROR_ENVELOPE_SCHEMA, writeErrorEnvelope } from '../contract/error-envelope.ts'
import { checkChatRequest } from './check/check-request.ts'
import { chatPassthrough } from './passthrough/passthrough.ts'
import { readChatRequest } from './read-request.ts'
import { readChatReply, readChatStream } from './read-stream.ts'
import { chatReferencesVendorState, referencesInChat } from './references.ts'
import { writeChatRequest } from './write-request.ts'
import { writeChatReply, writeChatStream } from './write-stream.ts'

export const chatClient: ClientDialect = {
  check: (body, _operation, problemOfUrl) => checkChatRequest(body, problemOfUrl),
  readRequest: readChatRequest,
  writeStream: writeChatStream,
  writeReply: writeChatReply,
  writeError: writeErrorEnvelope,
  errorSchema: { name: 'ChatError', schema: ERROR_ENVELOPE_SCHEMA },
  idPrefix: 'chatcmpl',
  outputBounds: ['max_completion_tokens', 'max_tokens'],
  choicesIn: ({ n }) => (typeof n === 'number' ? n : 1),
  decisive: ['n', 'stream_options'],
  findReferences: referencesInChat,
  referencesVendorState: chatReferencesVendorState,
  hostedCallBound: () => undefined,
  namesOtherModels: () => false,
  passthrough: chatPassthrough,
}

export const chatVendor: VendorDialect = {
  writeRequest: writeChatRequest,
  readStream: readChatStream,
  readReply: readChatReply,
  hidesThoughts: true,
}
