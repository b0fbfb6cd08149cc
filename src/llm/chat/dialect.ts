import type { VendorDialect } from '../canonical/dialect.ts'
import { readChatReply, readChatStream } from './read-stream.ts'
import { writeChatRequest } from './write-request.ts'

export const chatVendor: VendorDialect = {
  writeRequest: writeChatRequest,
  readStream: readChatStream,
  readReply: readChatReply,
  hidesThoughts: true,
}
