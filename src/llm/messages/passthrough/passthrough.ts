import { isJsonObject, type JsonObject } from '../../../domain/json-object.ts'
import type { Passthrough } from '../../canonical/dialect.ts'
import type { StreamError } from '../../canonical/reply-event.ts'
import { failureOfError } from '../../failure-of-error.ts'
import { type Seals, unsealMember } from '../../passthrough/own-seals.ts'
import { NOT_A_REPLY, type WholeReplyInfo } from '../../passthrough/stream-listener.ts'
import type { HidingOptions } from '../../vendor-error.ts'
import { UsageSoFar } from '../read-usage.ts'
import { readErrorDetails } from './error-details.ts'
import { idsAsked, idsInMessage } from './reply-ids.ts'
import { MessagesListener } from './stream-listener.ts'

export const messagesPassthrough: Passthrough = {
  createListener: (options) => new MessagesListener(options),
  readReply: readMessage,
  idsAsked,
  idsInReply: idsInMessage,
  conversationIn: ({ messages }) => messages,
  unseal: unsealMessages,
  readErrorFields: readErrorDetails,
}

function readMessage(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError {
  if (body.type === 'error') return failureOfError(body, hiding)
  if (body.type !== 'message' || !Array.isArray(body.content)) return NOT_A_REPLY
  const usage = new UsageSoFar()
  usage.add(body.usage, { isFinal: true })
  usage.addContainer(body.container)
  return {
    tokens: usage.atEnd,
    outputBytes: messageBytes(body),
    outputText: undefined,
  }
}

/** What a whole message says, in bytes: its text, its thinking and the input of its calls. */
function messageBytes({ content }: JsonObject): number {
  if (!Array.isArray(content)) return 0
  let bytes = 0
  for (const block of content) {
    if (!isJsonObject(block)) continue
    if (typeof block.text === 'string') bytes += Buffer.byteLength(block.text)
    else if (typeof block.thinking === 'string') bytes += Buffer.byteLength(block.thinking)
    else if (isJsonObject(block.input)) bytes += Buffer.byteLength(JSON.stringify(block.input))
  }
  return bytes
}

/** A turn that had only foreign reasoning to say goes with it: an empty one is refused. */
function unsealMessages(value: JsonObject, seals: Seals): JsonObject {
  if (!Array.isArray(value.messages)) return value
  const messages: readonly unknown[] = value.messages
  return { ...value, messages: messages.flatMap((turn) => unsealTurn(turn, seals)) }
}

function unsealTurn(turn: unknown, seals: Seals): unknown[] {
  if (!isJsonObject(turn) || !Array.isArray(turn.content)) return [turn]
  const blocks: readonly unknown[] = turn.content
  const content = blocks.flatMap((block) => unsealBlock(block, seals))
  return content.length === 0 && blocks.length > 0 ? [] : [{ ...turn, content }]
}

function unsealBlock(block: unknown, seals: Seals): unknown[] {
  if (!isJsonObject(block)) return [block]
  if (block.type === 'thinking') return unsealMember(block, 'signature', seals)
  return block.type === 'redacted_thinking' ? unsealMember(block, 'data', seals) : [block]
}
