import type { Dialect, TextEndpoint } from '../domain/catalog/model.ts'
import type { ReadReply, ReadStream, WriteReply, WriteRequest, WriteStream } from './canonical/codec.ts'
import type { TextRequest } from './canonical/request.ts'
import { readChatReply, readChatStream } from './chat/read-stream.ts'
import { writeChatRequest } from './chat/write-request.ts'
import { readMessagesRequest } from './messages/read-request.ts'
import { readMessagesReply, readMessagesStream } from './messages/read-stream.ts'
import { writeMessagesRequest } from './messages/write-request.ts'
import { writeMessagesReply, writeMessagesStream } from './messages/write-stream.ts'
import { readResponsesRequest } from './responses/read-request.ts'
import { readResponsesReply, readResponsesStream } from './responses/read-stream.ts'
import { writeResponsesRequest } from './responses/write-request.ts'
import { writeResponsesReply, writeResponsesStream } from './responses/write-stream.ts'

/** A dialect as clients speak it: their requests are read, their replies written. */
interface ClientWire {
  readRequest(body: Readonly<Record<string, unknown>>): TextRequest
  writeStream: WriteStream
  writeReply: WriteReply
  idPrefix: 'msg' | 'resp'
}

/** A dialect as vendors speak it: their requests are written, their replies read. */
interface VendorWire {
  writeRequest: WriteRequest
  readStream: ReadStream
  readReply: ReadReply
}

export const CLIENT_WIRES: Record<TextEndpoint, ClientWire> = {
  messages: {
    readRequest: readMessagesRequest,
    writeStream: writeMessagesStream,
    writeReply: writeMessagesReply,
    idPrefix: 'msg',
  },
  responses: {
    readRequest: readResponsesRequest,
    writeStream: writeResponsesStream,
    writeReply: writeResponsesReply,
    idPrefix: 'resp',
  },
}

export const VENDOR_WIRES: Record<Dialect, VendorWire> = {
  messages: {
    writeRequest: writeMessagesRequest,
    readStream: readMessagesStream,
    readReply: readMessagesReply,
  },
  responses: {
    writeRequest: writeResponsesRequest,
    readStream: readResponsesStream,
    readReply: readResponsesReply,
  },
  chat: { writeRequest: writeChatRequest, readStream: readChatStream, readReply: readChatReply },
}
