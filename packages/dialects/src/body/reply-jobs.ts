import type { ReplyHead, ReplyOrigin, WriteReply } from '../canonical/codec.ts'
import { createGuard } from '../canonical/guard.ts'
import type { ReplyEvent, StreamError } from '../canonical/reply-event.ts'
import { countedTokens } from '../count/counted-tokens.ts'
import type { Dialect, TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS, VENDOR_DIALECTS } from '../dialects.ts'
import { isJsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import type { IdsToCollect } from '../passthrough/reply-ids.ts'
import { type SplicedReply, type SpliceOptions, spliceReply } from '../relay/splice-reply.ts'
import { readSummary } from '../responses/compaction/compaction-object.ts'
import { ENCRYPTED_LENGTH_MAX } from '../responses/compaction/own-compactions.ts'
import { cutAtSequence } from '../stops/stop-at-sequence.ts'
import { keepNumbers } from '../values/keep-numbers.ts'

/** A vendor's whole reply in the client's dialect, and the ids in it that the client may name later. */
export type PassedReply = SplicedReply & { ids: readonly string[] }

/** A reply in another dialect, with the items that later requests may point to. */
export type ConvertedReply = SplicedReply & { items: readonly object[] }

/** Reads a reply for a client of the vendor's own dialect. */
export function passReply(
  bytes: Buffer,
  { idsToCollect, ...options }: Omit<SpliceOptions, 'ids'> & { idsToCollect: IdsToCollect | undefined },
): PassedReply {
  const found: string[] = []
  const keep = (ids: readonly string[]) => {
    for (const id of ids) found.push(id)
  }
  const ids = idsToCollect && { ...idsToCollect, keep }
  return { ...spliceReply(bytes, { ...options, ids }), ids: found }
}

/** Plain data, so that it may cross to another thread. */
export interface ConversionJob extends Pick<ReplyHead, 'request'> {
  dialect: Dialect
  endpoint: TextEndpoint
  origin: ReplyOrigin
  head: Pick<ReplyHead, 'id' | 'model' | 'createdAtSeconds'>
  nowSeconds: number
  stopSequences: readonly string[]
  keepsItems: boolean
}

/** Converts a reply to the client's dialect. */
export function convertReply(
  bytes: Buffer,
  job: ConversionJob & Pick<ReplyHead, 'newId'> & { countInput(): number },
): ConvertedReply {
  const { dialect, endpoint, origin, request, nowSeconds, newId, countInput, stopSequences } = job
  const body = readBody(bytes)
  const events = VENDOR_DIALECTS[dialect].readReply(body, origin)
  const head = { ...job.head, request, newId, countInput, nowSeconds: () => nowSeconds }
  let items: readonly object[] = []
  const folded = foldReply(events, { stopSequences, countInput }, (kept) => {
    const reply = CLIENT_DIALECTS[endpoint].writeReply(kept, head)
    if (job.keepsItems) items = reply.items ?? []
    return reply
  })
  if (folded.kind === 'failed') return { ...folded, items }
  return { ...folded, vendorUsage: isJsonObject(body) ? body.usage : undefined, items }
}

/** Converts on another thread, with plain data only. Ids of parts derive from `freshId`, which no other reply has. */
export function convertLargeReply(
  bytes: Buffer,
  { inputTokens, freshId, ...job }: ConversionJob & { inputTokens: number; freshId: string },
): ConvertedReply {
  const countInput = () => inputTokens
  return lightReply(convertReply(bytes, { ...job, newId: idsFrom(freshId), countInput }))
}

/** Makes ids from an unused id, whose last digits are replaced by a count. */
function idsFrom(freshId: string): ReplyHead['newId'] {
  const base = freshId.slice(freshId.indexOf('_'), -COUNTED_DIGITS)
  let count = 0
  return (prefix) => {
    count += 1
    return `${prefix}${base}${count.toString(16).padStart(COUNTED_DIGITS, '0')}`
  }
}

const COUNTED_DIGITS = 6

function readBody(bytes: Buffer): unknown {
  const json = bytes.toString('utf8')
  const value = parseOrNone(json)
  return isJsonObject(value) ? keepNumbers(value, json) : value
}

/** Builds a whole reply from its events; the guard and the stop sequences apply as in a stream. */
export function foldReply(
  read: readonly ReplyEvent[],
  { stopSequences, countInput }: { stopSequences: readonly string[]; countInput(): number },
  write: (events: readonly ReplyEvent[]) => ReturnType<WriteReply>,
): SplicedReply {
  const guarded: ReplyEvent[] = []
  const guard = createGuard((event) => guarded.push(event))
  for (const event of read) guard(event)
  const events = stopSequences.length === 0 ? guarded : cutAtSequence(guarded, stopSequences)
  const last = events.at(-1)
  if (last?.kind !== 'reply-end')
    return { kind: 'failed', failure: last?.kind === 'reply-failed' ? last.failure : UNREADABLE }
  let outputBytes = 0
  for (const event of events) if (event.kind === 'block-delta') outputBytes += Buffer.byteLength(event.text)
  const tokens = countedTokens(last.tokens, { countInput, outputBytes })
  const { body, losses } = write(events.with(-1, { ...last, tokens }))
  return {
    kind: 'reply',
    body: JSON.stringify(body),
    tokens,
    vendorUsage: undefined,
    outputBytes,
    losses: [...losses],
  }
}

const UNREADABLE: StreamError = {
  kind: 'broken',
  message: 'The provider sent something that is not a reply.',
}

/** Summary in a reply; `long`: the summary is too long to be encrypted. */
export function summaryIn(reply: Buffer, _args: object = {}): ReturnType<typeof readSummary> | 'long' {
  const read = readSummary(parseOrNone(reply.toString('utf8')))
  return typeof read === 'object' && read.summary.length > ENCRYPTED_LENGTH_MAX ? 'long' : read
}

/** Bounds the data that crosses back to the main thread; the bytes of the reply are handed over without a copy. */
export function lightReply<Reply extends PassedReply | ConvertedReply>(reply: Reply): Reply {
  if (reply.kind === 'failed') return reply
  const { body, vendorUsage } = reply
  const isLight = (JSON.stringify(vendorUsage)?.length ?? 0) <= USAGE_LENGTH_MAX
  return {
    ...reply,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    vendorUsage: isLight ? vendorUsage : undefined,
    ...('ids' in reply && { ids: reply.ids.slice(0, IDS_MAX) }),
    ...('items' in reply && { items: fewItems(reply.items) }),
  }
}

const USAGE_LENGTH_MAX = 64 * 1024
const IDS_MAX = 1_024
const ITEMS_LENGTH_MAX = 256 * 1024

/** Keeps the first items up to a total length, because the main thread encrypts each of them. */
function fewItems(items: readonly object[]): readonly object[] {
  let length = 0
  return items.slice(0, IDS_MAX).filter((item) => {
    length += JSON.stringify(item).length
    return length <= ITEMS_LENGTH_MAX
  })
}
