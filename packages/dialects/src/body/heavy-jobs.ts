import type { ToolNames } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { TextRequest } from '../canonical/request.ts'
import { countRequest } from '../count/count-tokens.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { checkEmbeddings, countEmbeddings, EMBEDDINGS_VALUES_MAX } from '../embeddings-request.ts'
import { countValues } from '../json/json-bounds.ts'
import type { JsonObject } from '../json/json-object.ts'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX, parseAgain, parseJson } from '../json/parse-json.ts'
import { replaceModel } from '../passthrough/replace-model.ts'
import { RequestError } from '../request-error.ts'
import { keepNumbers } from '../values/keep-numbers.ts'
import { serializeBody } from '../values/serialize-body.ts'
import { type Conversion, convertRequest } from './convert-request.ts'
import { countPassthrough } from './count-passthrough.ts'
import { passFrame, shrinkFrame } from './frame-jobs.ts'
import type { ContinuedBody, Continuing, OpenedValue } from './kept-jobs.ts'
import { type PassingTarget, passRequest } from './pass-request.ts'
import type { BodyFacts, TextShape } from './read-facts.ts'
import { convertLargeReply, lightReply, passReply, summaryIn } from './reply-jobs.ts'

/** Earlier output items by id, and summaries by their encrypted form, which replace references in a body. */
export type KnownItems = ReadonlyMap<string, JsonObject>

/** Members that the gateway sets; a member with the value undefined is removed. */
export type BodyChanges = JsonObject

/** A heavy body as the gateway sends it to a vendor of the client's own dialect. */
export interface PassedBody {
  body: Uint8Array
  losses: readonly LossName[]
  inputTokens: number
}

/** A heavy body in another dialect, with the data that reading and writing the reply needs. */
export interface ConvertedBody extends PassedBody {
  /** Holds only the fields that a reply repeats. It has no turns except the system instructions. */
  request: TextRequest
  toolNames: ToolNames
  unsentStops: readonly string[]
}

/**
 * Jobs for heavy requests, replies and events, off the main thread. Each job gets bytes and returns plain data that is
 * small enough to cost the main thread little.
 */
export const HEAVY_JOBS = {
  pass,
  convert,
  retain,
  count,
  readEmbeddings,
  passEmbeddings,
  summaryIn,
  convertReply: convertLargeReply,
  passFrame,
  shrinkFrame,
  passReply: (bytes: Buffer, job: Parameters<typeof passReply>[1]) => lightReply(passReply(bytes, job)),
}

export type HeavyJobs = typeof HEAVY_JOBS & {
  /** Reads the facts of a body. `allowedRanges`: private addresses that a URL in it may lead to. */
  read(bytes: Buffer, args: TextShape & { allowedRanges: readonly string[] }): BodyFacts
  /** Digest of the body, for recognizing a repeated request. */
  digest(bytes: Buffer, args: object): string
  /** Decrypts a kept value. undefined: it was changed, or was encrypted for another record. */
  decrypt(bytes: Buffer, args: { boundTo: string; member?: string }): OpenedValue | undefined
  /**
   * Decrypts the kept conversation and prepends it to the request's input. `before`: the bytes are unencrypted items,
   * and this provider wrote them.
   */
  continue(bytes: Buffer, args: Continuing & { boundTo?: string; before?: string }): ContinuedBody | undefined
}

function pass(bytes: Buffer, job: PassingJob): PassedBody {
  const { endpoint, ownIds } = job
  const body = withOwnIds(bodyWith(bytes, job), { endpoint, ownIds })
  return { ...passRequest(endpoint, body, job), inputTokens: countPassthrough({ endpoint, body }) }
}

/** Changes of a body that are made before it is passed or converted. */
export interface BodyEdits {
  endpoint: TextEndpoint
  items: KnownItems
  changes?: BodyChanges | undefined
  /** The vendor is asked for a summary of the conversation. */
  asksForSummary?: true | undefined
}

interface PassingJob extends BodyEdits, PassingTarget {
  /** Ids that stay on items whose content is in the request; other ids of such items are removed. undefined: all stay. */
  ownIds: ReadonlySet<string> | undefined
}

function withOwnIds(
  body: { bytes: Buffer; value: JsonObject },
  { endpoint, ownIds }: Pick<PassingJob, 'endpoint' | 'ownIds'>,
): { bytes: Buffer; value: JsonObject } {
  const { items, findReferences } = CLIENT_DIALECTS[endpoint]
  if (ownIds === undefined || items === undefined) return body
  const { dispensable } = findReferences(body.value)
  const dropped = new Set(dispensable.map(({ id }) => id)).difference(ownIds)
  const value = items.withoutIds(keepNumbers(body.value, body.bytes), dropped)
  return { bytes: Buffer.from(JSON.stringify(value)), value }
}

function convert(
  bytes: Buffer,
  { items, changes, asksForSummary, ...conversion }: Conversion & Omit<BodyEdits, 'endpoint'>,
): ConvertedBody {
  const { endpoint } = conversion
  const body = bodyWith(bytes, { endpoint, items, changes, asksForSummary })
  const { request, written } = convertRequest(body, conversion)
  const { toolNames, unsentStops } = written
  if (toolNames.size > RENAMED_TOOLS_MAX) throw beyondLimit('tools', 'has too many entries')
  if (JSON.stringify(unsentStops).length > STOPS_LENGTH_MAX)
    throw beyondLimit('stop_sequences', 'is too long in total')
  const sent = serializeBody(written.body, bytes.length)
  return {
    body: typeof sent === 'string' ? Buffer.from(sent) : sent,
    losses: [...new Set([...request.losses, ...written.losses])],
    inputTokens: countRequest(request),
    request: repeatedOf(request),
    toolNames,
    unsentStops,
  }
}

/** The main thread searches both lists during the reply, so they are bounded; no vendor accepts this many. */
const RENAMED_TOOLS_MAX = 4_096
const STOPS_LENGTH_MAX = 64 * 1024

function beyondLimit(param: string, problem: string): RequestError {
  return new RequestError('invalid_parameter', { param, message: `${param} ${problem} for this model` })
}

/** Messages that stay unchanged when the conversation is compacted: few enough for the main thread. */
function retain(bytes: Buffer, edits: BodyEdits): JsonObject[] {
  const { value } = bodyWith(bytes, edits)
  return CLIENT_DIALECTS[edits.endpoint].compaction?.retained(value) ?? []
}

function count(
  bytes: Buffer,
  { endpoint, isPassthrough }: { endpoint: TextEndpoint; isPassthrough: boolean },
): number {
  const body = bodyWith(bytes, { endpoint, items: new Map() })
  return isPassthrough
    ? countPassthrough({ endpoint, body })
    : countRequest(CLIENT_DIALECTS[endpoint].readRequest(body.value))
}

/** Facts about a heavy request for embeddings that the gateway needs before it sends it. */
export interface EmbeddingsFacts {
  model: string
  inputTokens: number
  /** Length of the body in bytes. */
  length: number
}

/** Throws a `RequestError` for bytes that are not a request for embeddings. */
function readEmbeddings(bytes: Buffer, _args: object): EmbeddingsFacts {
  const value = parseJson(bytes, { nul: 'pass', valuesMax: EMBEDDINGS_VALUES_MAX, membersOnce: true })
  checkEmbeddings(value)
  const { model, input } = Object(value)
  return { model, inputTokens: countEmbeddings(input), length: bytes.length }
}

function passEmbeddings(bytes: Buffer, { model }: { model: string }): Pick<PassedBody, 'body'> {
  return { body: replaceModel(bytes, model) }
}

/** Parses a body that was checked when its facts were read, and applies the changes. */
function bodyWith(
  bytes: Buffer,
  { endpoint, items, changes, asksForSummary }: BodyEdits,
): { bytes: Buffer; value: JsonObject } {
  const value = parseAgain(bytes) as JsonObject
  const { items: stored, compaction } = CLIENT_DIALECTS[endpoint]
  if (items.size === 0 && changes === undefined && asksForSummary !== true) return { bytes, value }
  const changed = { ...keepNumbers(value, bytes), ...changes }
  const resolved = stored?.resolve(changed, items) ?? changed
  const edited = asksForSummary === true ? (compaction?.askForSummary(resolved) ?? resolved) : resolved
  return { bytes: Buffer.from(JSON.stringify(edited)), value: edited }
}

/**
 * Fields of the request that a reply repeats, if they are small; otherwise a reply repeats no tools, instructions, format
 * and metadata. Number objects that preserve the original digits become plain numbers, because they cannot be sent to
 * another thread.
 */
export function repeatedOf(request: TextRequest): TextRequest {
  const { turns: _all, tools, format, metadata, ...settings } = request
  const large = { turns: repeatedTurns(request), tools, format, metadata }
  const json = JSON.stringify(large)
  const repeated: typeof large = isLight(json) ? JSON.parse(json) : { ...large, ...NOT_REPEATED }
  return { ...settings, losses: [], stopSequences: [], ...repeated }
}

/** Turns that a reply repeats: the instructions, if they are one text. */
export function repeatedTurns({ turns }: Pick<TextRequest, 'turns'>): TextRequest['turns'] {
  const first = turns[0]
  return first?.role === 'system' && first.parts.length === 1 ? [first] : []
}

const NOT_REPEATED = { turns: [], tools: [], format: undefined, metadata: undefined }

function isLight(json: string): boolean {
  if (json.length > LIGHT_BYTES_MAX) return false
  const bounds = { depthMax: Number.POSITIVE_INFINITY, valuesMax: LIGHT_VALUES_MAX, nul: 'pass' } as const
  return countValues(Buffer.from(json), bounds) <= LIGHT_VALUES_MAX
}
