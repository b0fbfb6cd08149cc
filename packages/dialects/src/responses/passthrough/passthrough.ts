import type { StreamError } from '../../canonical/reply-event.ts'
import type { Passthrough } from '../../contract/dialect.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import { type HidingOptions, readCodeAndParam } from '../../errors/vendor-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { type Seals, unsealMember } from '../../passthrough/own-seals.ts'
import { NOT_A_REPLY, type WholeReplyInfo } from '../../passthrough/stream-listener.ts'
import { readTokens } from '../read-usage.ts'
import { readReasoningProof } from '../reasoning-proof.ts'
import { COMPACTION_OBJECT } from '../wire.ts'
import { idsInResponse, idsToCollect } from './reply-ids.ts'
import { ResponsesListener } from './stream-listener.ts'
import { hasEndedWell, outputTextOf, responseBytes, sealedBytes } from './whole-reply.ts'

export const responsesPassthrough: Passthrough = {
  createListener: (options) => new ResponsesListener(options),
  passesOnWhole: false,
  readReply: readResponse,
  readCompaction,
  idsToCollect,
  idsInReply: idsInResponse,
  conversationIn: ({ input }) => input,
  unseal: unsealInput,
  readErrorFields: readCodeAndParam,
}

function readResponse(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError {
  if (isJsonObject(body.error)) return failureOfError(body, hiding)
  if (body.object !== 'response' || !Array.isArray(body.output)) return NOT_A_REPLY
  if (!hasEndedWell(body.status)) return UNFINISHED
  return {
    tokens: readTokens(body),
    outputBytes: responseBytes(body),
    outputText: outputTextOf(body),
  }
}

function readCompaction(body: JsonObject, hiding: HidingOptions): WholeReplyInfo | StreamError {
  if (isJsonObject(body.error)) return failureOfError(body, hiding)
  if (body.object !== COMPACTION_OBJECT || !Array.isArray(body.output)) return NOT_A_REPLY
  // The items are those of the conversation, whose hosted tools were paid for before.
  const tokens = readTokens({ ...body, output: [] })
  return { tokens, outputBytes: sealedBytes(body), outputText: undefined }
}

const UNFINISHED: StreamError = { kind: 'broken', message: 'The provider did not finish its reply.' }

/** Removes reasoning that another provider sealed: the vendor would not find the id of the item. */
function unsealInput(value: JsonObject, seals: Seals): JsonObject {
  if (!Array.isArray(value.input)) return value
  const items: readonly unknown[] = value.input
  const input = items.flatMap((item) =>
    isJsonObject(item) && item.type === 'reasoning'
      ? unsealMember(item, 'encrypted_content', seals, openProof)
      : [item],
  )
  return { ...value, input }
}

/** Returns the proof without the id of its item, because the item itself has that id. */
function openProof(proof: string): string {
  return readReasoningProof(proof).encryptedContent
}
