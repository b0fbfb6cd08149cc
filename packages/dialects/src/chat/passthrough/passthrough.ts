import type { StreamError } from '../../canonical/reply-event.ts'
import type { Passthrough } from '../../contract/dialect.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import { type HidingOptions, readCodeAndParam } from '../../errors/vendor-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type Seals, unsealMember } from '../../passthrough/own-seals.ts'
import { isId } from '../../passthrough/reply-ids.ts'
import { NOT_A_REPLY, type WholeReplyInfo } from '../../passthrough/stream-listener.ts'
import { objectsIn } from '../../values/values.ts'
import { errorIn } from '../error-in.ts'
import { ChatCount } from '../read-usage.ts'
import { withUsageOption } from './ask-for-usage.ts'
import { contentBytes } from './content-bytes.ts'
import { ChatListener } from './stream-listener.ts'

export const chatPassthrough: Passthrough = {
  createListener: (options) => new ChatListener(options),
  passesOnWhole: true,
  readReply,
  idsToCollect: () => ({ reply: false, items: false, files: false }),
  idsInReply: audioIdsIn,
  conversationIn: ({ messages }) => messages,
  unseal: unsealMessages,
  readErrorFields: readCodeAndParam,
  withUsageOption,
  asksToThink,
}

function asksToThink({
  reasoning_effort: effort,
  thinking,
  enable_thinking: isOn,
}: JsonObject): boolean | undefined {
  if (typeof effort === 'string') return effort !== 'none'
  if (isJsonObject(thinking)) return thinking.type !== 'disabled'
  return typeof isOn === 'boolean' ? isOn : undefined
}

function readReply(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError {
  const error = errorIn(body)
  if (error !== undefined) return failureOfError(error, hiding)
  if (!Array.isArray(body.choices)) return NOT_A_REPLY
  const count = new ChatCount({ hasMany: body.choices.length > 1 })
  count.add(body)
  let outputBytes = 0
  for (const { message } of objectsIn(body.choices))
    if (isJsonObject(message)) outputBytes += contentBytes(message)
  return { tokens: count.atEnd, outputBytes, outputText: undefined }
}

/** A later request may name the audio of an answer. */
function audioIdsIn({ choices }: JsonObject): string[] {
  return objectsIn(choices)
    .map(({ message }) => Object(Object(message).audio).id)
    .filter(isId)
}

function unsealMessages(value: JsonObject, seals: Seals): JsonObject {
  if (!Array.isArray(value.messages)) return value
  return { ...value, messages: value.messages.map((message: unknown) => unsealMessage(message, seals)) }
}

/** Removes details that held only a foreign proof; their text stands beside them. */
function unsealMessage(message: unknown, seals: Seals): unknown {
  if (!isJsonObject(message) || !Array.isArray(message.reasoning_details)) return message
  const { reasoning_details: details, ...rest } = message
  const kept = objectsIn(details).flatMap((detail) =>
    unsealMember(detail, 'signature' in detail ? 'signature' : 'data', seals),
  )
  return kept.length === 0 ? rest : { ...rest, reasoning_details: kept }
}
