import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { LossName } from '../canonical/losses.ts'
import type { ReplyFailure, ReplyTokens } from '../canonical/reply-event.ts'
import { failureOfError } from '../failure-of-error.ts'
import { UsageSoFar } from '../messages/read-usage.ts'
import { hasEndedWell, outputTextOf, responseBytes } from '../responses/passthrough/whole-reply.ts'
import { readTokens } from '../responses/read-usage.ts'
import { parseOrNone } from '../values/values.ts'
import type { HidingOptions } from '../vendor-error.ts'
import { replyEdits } from './reply-edits.ts'
import { type IdListening, idsInMessage, idsInResponse } from './reply-ids.ts'
import { spliceBytes, spliceText } from './splice-bytes.ts'

export type PassedDialect = 'messages' | 'responses'

/** A whole reply for the client with what its meter reads, or why it is none. */
export type SplicedReply =
  | {
      kind: 'reply'
      body: Buffer | string
      /** The vendor's own count, if it counted. */
      tokens: ReplyTokens | undefined
      /** Bytes of its text and calls, for a vendor that does not count. */
      outputBytes: number
      losses: readonly LossName[]
    }
  | { kind: 'failed'; failure: ReplyFailure }

interface SpliceOptions {
  dialect: PassedDialect
  /** The id the client asked for. */
  model: string
  hides?: readonly string[]
  /** Left out: ids of this reply mean nothing to other organizations. */
  ids?: IdListening | undefined
}

/**
 * A vendor's whole reply with `model` as the client named it and, in the responses dialect, with the `output_text` it
 * may lack. Every other byte stays: reading and writing JSON again would round big numbers and reorder keys.
 */
export function spliceReply(bytes: Buffer, { dialect, model, hides = [], ids }: SpliceOptions): SplicedReply {
  const text = bytes.toString('latin1')
  // All of it ASCII, as most replies are: the text need not be put into bytes and back on its way to the client.
  const isText = Buffer.byteLength(text) === bytes.length
  const body = parseOrNone(isText ? text : bytes.toString('utf8'))
  if (!isJsonObject(body)) return { kind: 'failed', failure: NOT_A_REPLY }
  const heard = dialect === 'messages' ? hearMessage(body, { hides }) : hearResponse(body, { hides })
  if ('kind' in heard) return { kind: 'failed', failure: heard }
  ids?.keep(dialect === 'messages' ? idsInMessage(body, ids) : idsInResponse(body, ids))
  const { tokens, outputBytes, outputText } = heard
  const edits = replyEdits(text, text.indexOf('{'), { model, outputText, hides })
  const spliced = isText ? spliceText(text, edits) : spliceBytes(bytes, edits)
  return { kind: 'reply', body: spliced, tokens, outputBytes, losses: [] }
}

interface FrameInfo {
  tokens: ReplyTokens | undefined
  outputBytes: number
  outputText: string | undefined
}

const NOT_A_REPLY: ReplyFailure = { kind: 'broken', message: 'The provider sent something that is no reply.' }

function hearMessage(body: JsonObject, hiding: HidingOptions): FrameInfo | ReplyFailure {
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

function hearResponse(body: JsonObject, hiding: HidingOptions): FrameInfo | ReplyFailure {
  if (isJsonObject(body.error)) return failureOfError(body, hiding)
  if (body.object !== 'response' || !Array.isArray(body.output)) return NOT_A_REPLY
  if (!hasEndedWell(body.status)) return UNFINISHED
  return {
    tokens: readTokens(body),
    outputBytes: responseBytes(body),
    outputText: outputTextOf(body),
  }
}

const UNFINISHED: ReplyFailure = { kind: 'broken', message: 'The provider did not finish its reply.' }

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
