import type { LossName } from '../canonical/losses.ts'
import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import type { ScannedUsage } from '../passthrough/relay-whole.ts'
import { replyEdits } from '../passthrough/reply-edits.ts'
import type { IdCollector } from '../passthrough/reply-ids.ts'
import type { ScannedReply } from '../passthrough/reply-scanner.ts'
import { spliceBytes, spliceText } from '../passthrough/splice-bytes.ts'
import { NOT_A_REPLY, type WholeReplyInfo } from '../passthrough/stream-listener.ts'

/** A whole reply for the client with its counts, or the failure in its place. */
export type SplicedReply =
  | {
      kind: 'reply'
      body: Buffer | string
      /** The vendor's own count, if it counted. */
      tokens: ReplyTokens | undefined
      /** The vendor's usage object, unchanged. */
      vendorUsage: unknown
      /** Bytes of its text and calls, for a vendor that does not count. */
      outputBytes: number
      losses: readonly LossName[]
    }
  | { kind: 'failed'; failure: StreamError }

export interface SpliceOptions {
  dialect: TextEndpoint
  /** Left out: a reply was asked for. */
  operation?: 'compact' | undefined
  /** The model's id, as the client named it. */
  model: string
  hides?: readonly string[]
  /** Left out: ids of this reply have no meaning for other organizations. */
  ids?: IdCollector | undefined
}

/**
 * Puts the client's model name into a vendor's whole reply, adds an `output_text` that the dialect has and the reply
 * lacks, and hides secrets in its error. Other bytes stay: serializing JSON would round big numbers and reorder keys.
 */
export function spliceReply(
  bytes: Buffer,
  { dialect, operation, model, hides = [], ids }: SpliceOptions,
): SplicedReply {
  const text = bytes.toString('latin1')
  // Most replies are ASCII: then the text need not be encoded on its way to the client.
  const isText = Buffer.byteLength(text) === bytes.length
  const body = parseOrNone(isText ? text : bytes.toString('utf8'))
  if (!isJsonObject(body)) return { kind: 'failed', failure: NOT_A_REPLY }
  const { passthrough } = CLIENT_DIALECTS[dialect]
  const isCompaction = operation === 'compact'
  const info = readInfo(body, { dialect, operation, hides })
  if ('kind' in info) return { kind: 'failed', failure: info }
  ids?.keep(passthrough.idsInReply(body, ids))
  const { tokens, outputBytes, outputText } = info
  const edits = replyEdits(text, text.indexOf('{'), { model, outputText, hides, mayLackModel: isCompaction })
  const spliced = isText ? spliceText(text, edits) : spliceBytes(bytes, edits)
  return { kind: 'reply', body: spliced, tokens, vendorUsage: body.usage, outputBytes, losses: [] }
}

/** Reads the usage of a reply from its outline, or the failure in its place. */
export function readScannedReply(
  { outline, outputBytes, isWhole }: ScannedReply,
  kind: Pick<SpliceOptions, 'dialect' | 'operation' | 'hides'>,
): ScannedUsage | StreamError {
  const info = isWhole ? readInfo(outline, kind) : NOT_A_REPLY
  if ('kind' in info) return info
  return { tokens: info.tokens, vendorUsage: outline.usage, outputBytes }
}

function readInfo(
  body: JsonObject,
  { dialect, operation, hides = [] }: Pick<SpliceOptions, 'dialect' | 'operation' | 'hides'>,
): WholeReplyInfo | StreamError {
  const { readReply, readCompaction } = CLIENT_DIALECTS[dialect].passthrough
  return (operation === 'compact' ? readCompaction : readReply)?.(body, { hides }) ?? NOT_A_REPLY
}
