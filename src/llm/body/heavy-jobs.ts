import { ApiError } from '../../domain/api-error.ts'
import type { TextEndpoint } from '../../domain/catalog/dialects.ts'
import { countValues } from '../../domain/json/json-bounds.ts'
import { LIGHT_BYTES_MAX, LIGHT_VALUES_MAX, parseAgain, parseJson } from '../../domain/json/parse-json.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import type { ToolNames } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { TextRequest } from '../canonical/request.ts'
import { countRequest } from '../count/count-tokens.ts'
import { countNative } from '../count-native.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import { checkEmbeddings, countEmbeddings, EMBEDDINGS_VALUES_MAX } from '../embeddings-request.ts'
import { unsealForeign } from '../passthrough/foreign-seals.ts'
import { replaceModel } from '../passthrough/replace-model.ts'
import { keepNumbers } from '../values/keep-numbers.ts'
import { serializeBody } from '../values/serialize-body.ts'
import { type Conversion, convertRequest } from './convert-request.ts'
import { passFrame, shrinkFrame } from './frame-jobs.ts'
import type { ContinuedBody, Continuing, OpenedValue } from './kept-jobs.ts'
import { readFacts } from './read-facts.ts'
import { convertLargeReply, lightReply, passReply, summaryIn } from './reply-jobs.ts'

/** Earlier output by its id, and summaries by what they are encrypted as, to be put where the body has these. */
export type KnownItems = ReadonlyMap<string, JsonObject>

/** Members that the gateway sets; undefined: it takes the member out. */
export type BodyChanges = JsonObject

/** A heavy body as it is sent to a vendor of the client's own dialect. */
export interface PassedBody {
  body: Uint8Array
  losses: readonly LossName[]
  inputTokens: number
}

/** The same for a vendor of another dialect, with what has to be known to understand and to write the reply. */
export interface ConvertedBody extends PassedBody {
  /** Without what was said: only what a reply repeats. */
  request: TextRequest
  toolNames: ToolNames
  unsentStops: readonly string[]
}

/**
 * What is done with a heavy body off the main thread. Each job gets its bytes, whose facts were read before, and gives
 * plain data back, so little of it that taking it over costs the main thread nothing.
 */
export const HEAVY_JOBS = {
  ...{ read: readFacts, pass, convert, retain, count, readEmbeddings, passEmbeddings },
  ...{ summaryIn, convertReply: convertLargeReply, passFrame, shrinkFrame },
  passReply: (bytes: Buffer, job: Parameters<typeof passReply>[1]) => lightReply(passReply(bytes, job)),
}

export type HeavyJobs = typeof HEAVY_JOBS & {
  /** The body in short, for telling whether the same came again. */
  digest(bytes: Buffer, args: object): string
  /** The bytes are a kept value, encrypted. undefined: not for this place. */
  open(bytes: Buffer, args: { place: string; member?: string }): OpenedValue | undefined
  /** Likewise a conversation, or its items where `before` names its provider. */
  continue(bytes: Buffer, args: Continuing & { place?: string; before?: string }): ContinuedBody | undefined
}

function pass(bytes: Buffer, job: PassingJob): PassedBody {
  const { endpoint, provider, model, ownIds, asksForUsage } = job
  const body = withOwnIds(bodyWith(bytes, job), { endpoint, ownIds })
  const { bytes: unsealed, losses } = unsealForeign(body, { dialect: endpoint, provider })
  const inputTokens = countNative({ endpoint, body })
  const named = replaceModel(unsealed, model)
  const { withUsageAsked } = CLIENT_DIALECTS[endpoint].passthrough
  const sent = asksForUsage ? (withUsageAsked?.(named, body.value) ?? named) : named
  return { body: sent, losses, inputTokens }
}

interface PassingJob {
  endpoint: TextEndpoint
  provider: string
  /** The vendor's own id of it. */
  model: string
  items: KnownItems
  changes?: BodyChanges | undefined
  /** The vendor is asked for a summary of the conversation. */
  asksForSummary?: true | undefined
  /** Of the ids that it can do without, those that stay; undefined: all of them. */
  ownIds: ReadonlySet<string> | undefined
  /** The vendor takes the wish for the usage of a stream. */
  asksForUsage: boolean
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
  { items, changes, asksForSummary, ...conversion }: Conversion & Omit<Setting, 'endpoint'>,
): ConvertedBody {
  const { endpoint } = conversion
  const body = bodyWith(bytes, { endpoint, items, changes, asksForSummary })
  const { request, written } = convertRequest(body, conversion)
  const { toolNames, unsentStops } = written
  if (toolNames.size > RENAMED_TOOLS_MAX) throw tooMany('tools')
  if (JSON.stringify(unsentStops).length > STOPS_LENGTH_MAX) throw tooMany('stop_sequences')
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

/** The main thread looks both up while the reply is on its way; no vendor takes as many. */
const RENAMED_TOOLS_MAX = 4_096
const STOPS_LENGTH_MAX = 64 * 1024

function tooMany(param: string): ApiError {
  return new ApiError('invalid_parameter', { param, message: `${param} is too large for this model` })
}

/** The messages that stay as they are when the conversation is compacted: few enough for the main thread. */
function retain(bytes: Buffer, setting: Setting): JsonObject[] {
  const { value } = bodyWith(bytes, setting)
  return CLIENT_DIALECTS[setting.endpoint].compaction?.retained(value) ?? []
}

function count(bytes: Buffer, { endpoint, isNative }: { endpoint: TextEndpoint; isNative: boolean }): number {
  const body = bodyWith(bytes, { endpoint, items: new Map() })
  return isNative
    ? countNative({ endpoint, body })
    : countRequest(CLIENT_DIALECTS[endpoint].readRequest(body.value))
}

/** What has to be known of a heavy request for embeddings before it is sent. */
export interface EmbeddingsFacts {
  model: string
  inputTokens: number
  /** Length of the body in bytes. */
  length: number
}

/** Throws an `ApiError` for bytes that are no request for embeddings. */
function readEmbeddings(bytes: Buffer, _args: object): EmbeddingsFacts {
  const value = parseJson(bytes, { nul: 'pass', valuesMax: EMBEDDINGS_VALUES_MAX, membersOnce: true })
  checkEmbeddings(value)
  const { model, input } = Object(value)
  return { model, inputTokens: countEmbeddings(input), length: bytes.length }
}

function passEmbeddings(bytes: Buffer, { model }: { model: string }): Pick<PassedBody, 'body'> {
  return { body: replaceModel(bytes, model) }
}

/** What is set in a body before it is put into a vendor's words. */
type Setting = Pick<PassingJob, 'endpoint' | 'items' | 'changes' | 'asksForSummary'>

/** It was looked over when its facts were read. */
function bodyWith(
  bytes: Buffer,
  { endpoint, items, changes, asksForSummary }: Setting,
): { bytes: Buffer; value: JsonObject } {
  const value = parseAgain(bytes) as JsonObject
  const { items: stored, compaction } = CLIENT_DIALECTS[endpoint]
  if (items.size === 0 && changes === undefined && asksForSummary !== true) return { bytes, value }
  const changed = { ...keepNumbers(value, bytes), ...changes }
  const resolved = stored?.resolve(changed, items) ?? changed
  const asked = asksForSummary === true ? (compaction?.askForSummary(resolved) ?? resolved) : resolved
  return { bytes: Buffer.from(JSON.stringify(asked)), value: asked }
}

/**
 * What a reply repeats of its request, as far as that is light; else a reply repeats no tools, instructions, format and
 * metadata. Numbers that kept their spelling are plain ones in it: their objects cannot cross to another thread.
 */
export function repeatedOf({ turns, tools, format, metadata, ...settings }: TextRequest): TextRequest {
  const first = turns[0]
  const instructions = first?.role === 'system' && first.parts.length === 1 ? [first] : []
  const large = { turns: instructions, tools, format, metadata }
  const json = JSON.stringify(large)
  const repeated: typeof large = isLight(json) ? JSON.parse(json) : { ...large, ...NOT_REPEATED }
  return { ...settings, losses: [], stopSequences: [], ...repeated }
}

const NOT_REPEATED = { turns: [], tools: [], format: undefined, metadata: undefined }

function isLight(json: string): boolean {
  if (json.length > LIGHT_BYTES_MAX) return false
  const bounds = { depthMax: Number.POSITIVE_INFINITY, valuesMax: LIGHT_VALUES_MAX, nul: 'pass' } as const
  return countValues(Buffer.from(json), bounds) <= LIGHT_VALUES_MAX
}
