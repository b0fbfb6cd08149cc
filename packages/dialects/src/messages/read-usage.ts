import type { ReplyTokens, StartTokens } from '../canonical/reply-event.ts'
import type { TextTokens } from '../canonical/usage.ts'
import {
  type OtherModelTokens,
  type Surcharges,
  surchargedRegion,
  surchargedSpeed,
  surchargedTier,
} from '../canonical/usage.ts'
import { type CacheWriteSplit, dateCacheWrites, splitCacheWrites, UNSPLIT } from '../count/cache-writes.ts'
import { countOf } from '../count/count-of.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { readToolCounts } from '../tools/read-tool-counts.ts'

/**
 * Collects the counts of one reply: input counts come at the start, output counts at the end. The counts are disjoint,
 * and each new count covers the whole message so far.
 */
export class UsageSoFar {
  readonly #tokens: ReplyTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  #writes: CacheWriteSplit = UNSPLIT
  #surcharges: Surcharges | undefined
  #iterations: readonly unknown[] = []
  /** Searches that began, until the vendor counts them itself. */
  #searches = 0
  #hasInput = false
  #hasOutput = false
  /** The vendor's usage object: the start's, with the members that later events reported again. */
  vendorUsage: JsonObject | undefined

  /** `isFinal`: the output is counted to its end. A start counts only the beginning of the output. */
  add(reported: unknown, { isFinal }: { isFinal: boolean }): void {
    if (!isJsonObject(reported)) return
    const tokens = this.#tokens
    const usage = isFinal ? this.#withoutEmptyCounts(reported) : reported
    this.vendorUsage = this.vendorUsage === undefined ? usage : { ...this.vendorUsage, ...usage }
    const input = countOf(usage.input_tokens)
    tokens.input = input ?? tokens.input
    this.#hasInput ||= input !== undefined
    tokens.cachedInput = countOf(usage.cache_read_input_tokens) ?? tokens.cachedInput
    this.#addWrites(usage)
    const output = countOf(usage.output_tokens)
    tokens.output = output ?? tokens.output
    this.#hasOutput ||= isFinal && output !== undefined
    const { output_tokens_details: details, iterations } = usage
    if (isJsonObject(details)) tokens.reasoning = countOf(details.thinking_tokens) ?? tokens.reasoning
    if (Array.isArray(iterations)) this.#iterations = iterations
    if (isFinal && isJsonObject(usage.server_tool_use)) this.#searches = 0
    this.#addSurcharges(usage)
  }

  /** Counts a session for a container, because some usage objects omit it. */
  addContainer(container: unknown): void {
    if (!isJsonObject(container)) return
    const calls = { ...this.#surcharges?.calls, code_session: 1 }
    this.#surcharges = { ...this.#surcharges, calls }
  }

  addBlock(block: unknown): void {
    if (isJsonObject(block) && block.type === 'server_tool_use' && block.name === 'web_search')
      this.#searches += 1
  }

  /** Output of the final count. */
  get countedOutput(): number | undefined {
    return this.#hasInput && this.#hasOutput ? this.#tokens.output : undefined
  }

  get atStart(): StartTokens | undefined {
    if (!this.#hasInput) return undefined
    const { reasoning: _none, ...start } = this.#counted({ ...this.#tokens })
    return start
  }

  /** undefined: the vendor has not counted the whole reply yet. */
  get complete(): ReplyTokens | undefined {
    return this.#hasInput && this.#hasOutput ? this.#counted({ ...this.#tokens }) : undefined
  }

  /**
   * The count of a reply that has ended. A count that the vendor left out is zero, and the gateway then counts itself.
   */
  get atEnd(): ReplyTokens | undefined {
    if (!this.#hasInput && !this.#hasOutput) return undefined
    const noInput = this.#hasInput ? {} : { input: 0, cachedInput: 0, cacheWrite: 0 }
    const noOutput = this.#hasOutput ? {} : { output: 0, reasoning: 0 }
    return this.#counted({ ...this.#tokens, ...noInput, ...noOutput })
  }

  /** Counts so far: the known input, and the output that the vendor has reported. */
  get soFar(): ReplyTokens | undefined {
    const tokens = this.complete
    if (tokens !== undefined || !this.#hasInput) return tokens
    return this.#counted({ ...this.#tokens, reasoning: 0 })
  }

  /**
   * Some relays repeat counts of zero at the end. No reply has an empty input: earlier counts of input stay, and so do
   * earlier counts of output.
   */
  #withoutEmptyCounts(usage: JsonObject): JsonObject {
    const { input, cachedInput, cacheWrite, output } = this.#tokens
    const dropsInput = input + cachedInput + cacheWrite > 0 && countsNoInput(usage)
    const dropsOutput = this.#hasOutput && output > 0 && usage.output_tokens === 0
    if (!dropsInput && !dropsOutput) return usage
    const dropped = new Set([...(dropsInput ? INPUT_MEMBERS : []), ...(dropsOutput ? ['output_tokens'] : [])])
    return Object.fromEntries(Object.entries(usage).filter(([name]) => !dropped.has(name)))
  }

  /** A total without parts leaves the earlier parts unchanged; `dateCacheWrites` assigns its growth to lifetimes. */
  #addWrites(usage: JsonObject): void {
    const { cache_creation_input_tokens: total, cache_creation: parts } = usage
    const split = splitCacheWrites(parts, total)
    if (split === undefined) {
      this.#tokens.cacheWrite = countOf(total) ?? this.#tokens.cacheWrite
      return
    }
    this.#writes = split
    this.#tokens.cacheWrite = split.short + split.long
  }

  #addSurcharges(usage: JsonObject): void {
    const found = readSurcharges(usage)
    if (found === undefined) return
    const calls = { ...this.#surcharges?.calls, ...found.calls }
    this.#surcharges = { ...this.#surcharges, ...found, ...(isEmpty(calls) ? {} : { calls }) }
  }

  #withSearches(): Surcharges | undefined {
    const found = this.#surcharges
    if (this.#searches === 0) return found
    const counted = Math.max(this.#searches, found?.calls?.web_search_call ?? 0)
    return { ...found, calls: { ...found?.calls, web_search_call: counted } }
  }

  #counted(tokens: ReplyTokens): ReplyTokens {
    const found = this.#withSearches()
    if (this.#iterations.length > 0)
      return sumIterations({ ...tokens, surcharges: found ?? {} }, this.#writes, this.#iterations)
    const dated = dateCacheWrites(tokens.cacheWrite, this.#writes)
    const surcharges = dated === undefined ? found : { ...found, ...dated }
    return surcharges === undefined ? tokens : { ...tokens, surcharges }
  }
}

const INPUT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
const INPUT_MEMBERS = [...INPUT_COUNTS, 'cache_creation']

/** Whether there is a count of input, and each of them is zero. */
function countsNoInput(usage: JsonObject): boolean {
  let hasCount = false
  for (const name of INPUT_COUNTS) {
    const count = countOf(usage[name])
    if (count === undefined) continue
    if (count > 0) return false
    hasCount = true
  }
  return hasCount && splitCacheWrites(usage.cache_creation, 0) === undefined
}

function isEmpty(calls: object): boolean {
  return Object.keys(calls).length === 0
}

/**
 * Sums up a reply of several iterations. The outer counts may leave out some iterations, so each count is the larger of
 * the outer count and the sum over the iterations. Tokens of other models stay separate.
 */
function sumIterations(
  tokens: ReplyTokens,
  writes: CacheWriteSplit,
  iterations: readonly unknown[],
): ReplyTokens {
  const entries = paidEntries(iterations)
  const sum = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, short: 0, long: 0 }
  const others: OtherModelTokens[] = []
  let contextTokens = 0
  for (const entry of entries) {
    const counts = countsOf(entry)
    const { input, cachedInput, cacheWrite, output } = counts
    const model = otherModelOf(entry)
    if (model !== undefined) {
      if (!isCounted(entry)) continue
      const dated = dateCacheWrites(cacheWrite, counts)
      others.push({ model, input, cachedInput, cacheWrite, output, longCacheWrite: 0, ...dated })
      continue
    }
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof sum] += count
    contextTokens = Math.max(contextTokens, input + cachedInput + cacheWrite)
  }
  // A fallback of the vendor did all the work: the counts beside the iterations repeat its counts.
  const isElsewhere = entries.some((entry) => entry.type === 'fallback_message' && isCounted(entry))
  const larger = (beside: number, summed: number) => (isElsewhere ? summed : Math.max(beside, summed))
  const cacheWrite = larger(tokens.cacheWrite, sum.cacheWrite)
  const split = { short: larger(writes.short, sum.short), long: larger(writes.long, sum.long) }
  return {
    input: larger(tokens.input, sum.input),
    cachedInput: larger(tokens.cachedInput, sum.cachedInput),
    cacheWrite,
    output: larger(tokens.output, sum.output),
    reasoning: tokens.reasoning,
    surcharges: {
      ...tokens.surcharges,
      ...dateCacheWrites(cacheWrite, split),
      contextTokens,
      ...(others.length === 0 ? {} : { others }),
    },
  }
}

function isCounted(entry: JsonObject): boolean {
  const { input, cachedInput, cacheWrite, output } = countsOf(entry)
  return input + cachedInput + cacheWrite + output > 0
}

/** Leaves out an attempt that was declined without output before another model took over: it is not paid for. */
function paidEntries(iterations: readonly unknown[]): JsonObject[] {
  const entries = iterations.filter(isJsonObject)
  if (!entries.some(({ type }) => type === 'fallback_message')) return entries
  return entries.filter(({ type, output_tokens: output }) => type !== 'message' || output !== 0)
}

const OTHERS: ReadonlySet<unknown> = new Set(['advisor_message', 'fallback_message'])

function otherModelOf({ type, model }: JsonObject): string | undefined {
  return OTHERS.has(type) && typeof model === 'string' ? model : undefined
}

function countsOf(entry: JsonObject): TextTokens & CacheWriteSplit {
  const total = countOf(entry.cache_creation_input_tokens) ?? 0
  const { short, long } = splitCacheWrites(entry.cache_creation, total) ?? UNSPLIT
  return {
    input: countOf(entry.input_tokens) ?? 0,
    cachedInput: countOf(entry.cache_read_input_tokens) ?? 0,
    cacheWrite: Math.max(total, short + long),
    output: countOf(entry.output_tokens) ?? 0,
    short,
    long,
  }
}

/** Reads surcharges beside the counts of a usage object; undefined in the usual case. */
function readSurcharges(usage: JsonObject): Surcharges | undefined {
  const tier = surchargedTier(usage.service_tier)
  const speed = surchargedSpeed(usage.speed)
  const region = surchargedRegion(usage.inference_geo)
  const calls = readToolCounts(usage.server_tool_use)
  const found: Surcharges = {
    ...(tier === undefined ? {} : { tier }),
    ...(speed === undefined ? {} : { speed }),
    ...(region === undefined ? {} : { region }),
    ...(calls === undefined ? {} : { calls }),
  }
  return Object.keys(found).length === 0 ? undefined : found
}
