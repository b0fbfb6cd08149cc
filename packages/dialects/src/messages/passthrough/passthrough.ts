import type { StreamError } from '../../canonical/reply-event.ts'
import type { Passthrough } from '../../contract/dialect.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import {
  CODE,
  type HidingOptions,
  isPublic,
  redactedText,
  type VendorErrorFields,
} from '../../errors/vendor-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type Seals, unsealMember } from '../../passthrough/own-seals.ts'
import { NOT_A_REPLY, type WholeReplyInfo } from '../../passthrough/stream-listener.ts'
import { UsageSoFar } from '../read-usage.ts'
import { idsInMessage, idsToCollect } from './reply-ids.ts'
import { MessagesListener } from './stream-listener.ts'

export const messagesPassthrough: Passthrough = {
  createListener: (options) => new MessagesListener(options),
  passesOnWhole: true,
  readReply: readMessage,
  idsToCollect,
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

/** Bytes of the content of a whole message: its text, its thinking and the input of its calls. */
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

/** Removes a turn that held only foreign reasoning: the vendor would refuse an empty turn. */
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

/** Reads the object of details that this dialect has beside the message. */
function readErrorDetails({ details }: JsonObject, hides: readonly string[]): VendorErrorFields {
  return isJsonObject(details) && isSmall(details) ? { details: cleanObject(details, hides) } : {}
}

const DETAILS_BYTES_MAX = 2_048
/** Maximum number of values in these details. They are counted first, because a body may be nested deeper than the stack. */
const VALUES_MAX = DETAILS_BYTES_MAX / 2

function isSmall(details: JsonObject): boolean {
  const values: unknown[] = [details]
  // The list grows while it is walked.
  for (const value of values) {
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) values.push(inner)
    if (values.length > VALUES_MAX) return false
  }
  return Buffer.byteLength(JSON.stringify(details)) <= DETAILS_BYTES_MAX
}

function cleanObject(object: JsonObject, hides: readonly string[]): JsonObject {
  const members = Object.entries(object).filter(([name]) => isPublic(name, CODE, hides))
  return Object.fromEntries(members.map(([name, value]) => [name, cleanValue(value, hides)]))
}

function cleanValue(value: unknown, hides: readonly string[]): unknown {
  if (typeof value === 'string') return value === '' ? value : redactedText(value, hides)
  if (Array.isArray(value)) return value.map((member) => cleanValue(member, hides))
  return isJsonObject(value) ? cleanObject(value, hides) : value
}
