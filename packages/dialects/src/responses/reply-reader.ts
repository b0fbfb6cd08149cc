import type { Emit, ReplyOrigin } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import { type EndReason, type ReplyTokens, replyEnd } from '../canonical/reply-event.ts'
import { failureOfError } from '../errors/failure-of-error.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { isNonEmptyArray, textOf } from '../values/values.ts'
import type { PieceKind } from './items/item-pieces.ts'
import { ItemQueue } from './items/item-queue.ts'
import { ItemReader } from './items/item-reader.ts'
import { readCounts, readTokens } from './read-usage.ts'

/** Reads one reply: its start, its items and its end. */
export class ResponsesReplyReader {
  /** Whether an item of reasoning has begun, although its text may never be sent. */
  hasReasoning = false
  /** The vendor's usage object of a reply that has ended. */
  vendorUsage: unknown
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #queue: ItemQueue
  readonly #losses = new Set<LossName>()
  #hasStarted = false
  #hasEnded = false
  #tokens: ReplyTokens | undefined

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#origin = origin
    this.#emit = emit
    this.#queue = new ItemQueue()
  }

  /** Tokens of a failed reply, if its vendor reports them. */
  get tokens(): ReplyTokens | undefined {
    return this.#tokens
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  start(response: unknown): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    const tokens = isJsonObject(response) ? readCounts(response.usage) : undefined
    this.#emit({ kind: 'reply-start', tokens })
  }

  itemAdded(event: JsonObject): void {
    const { item } = event
    if (isJsonObject(item)) {
      if (item.type === 'reasoning') this.hasReasoning = true
      this.start(undefined)
      this.#open(event, item)
      this.#queue.advance()
    } else {
      this.break('an event of the provider had no item')
    }
  }

  partAdded(event: JsonObject): void {
    const kind = isJsonObject(event.part) ? PART_KINDS.get(event.part.type) : undefined
    if (kind === undefined) return
    this.#itemOf(event, kind).begin(kind, event)
    this.#queue.advance()
  }

  partDone(event: JsonObject): void {
    const { part } = event
    const kind = isJsonObject(part) ? PART_KINDS.get(part.type) : undefined
    if (!isJsonObject(part) || kind === undefined) return
    this.done(event, kind, textOf(kind === 'refusal' ? part.refusal : part.text))
  }

  delta(event: JsonObject, kind: PieceKind, text: string): void {
    const isEmitted = this.#itemOf(event, kind).append(kind, event, text)
    if (!isEmitted) this.#queue.advance()
  }

  /** Takes the whole text, and adds what the deltas did not bring. */
  done(event: JsonObject, kind: PieceKind, text: string): void {
    this.#itemOf(event, kind).complete(kind, event, text)
    this.#queue.advance()
  }

  itemDone(event: JsonObject): void {
    const { item } = event
    if (isJsonObject(item)) {
      this.start(undefined)
      const known = this.#queue.find(event) ?? this.#open(event, item)
      known.finish(item)
      addLossesOfItem(item, this.#losses)
      this.#advanceOrBreak()
    } else {
      this.break('an event of the provider had no item')
    }
  }

  /** Records that the reply had content, besides its text, that our events cannot carry. */
  addLoss(loss: LossName): void {
    this.#losses.add(loss)
  }

  /** Ends the reply: the vendor's final event repeats the whole reply. */
  end(status: string, response: unknown): void {
    if (this.#hasEnded) return
    const body = isJsonObject(response) ? response : {}
    this.vendorUsage = body.usage
    if (status === 'failed' || isJsonObject(body.error)) this.fail(body)
    else if (status === 'completed' || status === 'incomplete') this.#endWell(status, body)
    else this.break('the provider left the reply unfinished')
  }

  /** Ends the reply with a failure that the vendor reported, in an event or in place of a reply. */
  fail(body: JsonObject): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#tokens = readTokens(body)
    this.#emit({ kind: 'reply-failed', failure: failureOfError(body, this.#origin) })
  }

  break(why: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const message = `The reply broke off: ${why}.`
    this.#emit({ kind: 'reply-failed', failure: { kind: 'broken', message } })
  }

  #endWell(status: string, body: JsonObject): void {
    this.start(undefined)
    this.#takeOutput(body.output)
    if (this.#hasEnded) return
    this.#hasEnded = true
    const reason = this.#reasonOf(status, body.incomplete_details)
    this.#emit(replyEnd(reason, readTokens(body), this.#losses))
  }

  /** The output in the final event completes the open items, and adds those that no event brought. */
  #takeOutput(output: unknown): void {
    const items = Array.isArray(output) ? output.filter(isJsonObject) : []
    for (const item of items) addLossesOfItem(item, this.#losses)
    this.#queue.match(items, (index, item) => this.#open({ output_index: index }, item))
    this.#advanceOrBreak()
  }

  #advanceOrBreak(): void {
    this.#queue.advance()
    const fault = this.#queue.fault
    if (fault !== undefined) this.break(fault)
  }

  #open(event: JsonObject, item: JsonObject): ItemReader {
    return this.#queue.add(event, new ItemReader(item, this.#origin, this.#emit))
  }

  /** Some vendors leave out the start of an item: its first content tells its kind. */
  #itemOf(event: JsonObject, kind: PieceKind): ItemReader {
    this.start(undefined)
    return this.#queue.find(event) ?? this.#open(event, { type: ITEM_TYPES[kind], id: event.item_id })
  }

  #reasonOf(status: string, details: unknown): EndReason {
    if (status === 'incomplete') {
      const filtered = isJsonObject(details) && details.reason === 'content_filter'
      return { kind: filtered ? 'content-filter' : 'length' }
    }
    return { kind: this.#queue.hasCalls ? 'tool-calls' : 'done' }
  }
}

const PART_KINDS: ReadonlyMap<unknown, PieceKind> = new Map([
  ['output_text', 'text'],
  ['refusal', 'refusal'],
  ['summary_text', 'summary'],
  ['reasoning_text', 'thought'],
])

const ITEM_TYPES: Readonly<Record<PieceKind, string>> = {
  text: 'message',
  refusal: 'message',
  'json-call': 'function_call',
  'text-call': 'custom_tool_call',
  summary: 'reasoning',
  thought: 'reasoning',
}

/** Adds the losses of a finished item: content, besides its text, that our events cannot carry. */
function addLossesOfItem({ type, content }: JsonObject, losses: Set<LossName>): void {
  if (type !== 'message' || !Array.isArray(content)) return
  for (const part of content) {
    if (!isJsonObject(part)) continue
    if (isNonEmptyArray(part.annotations)) losses.add('citations')
    if (isNonEmptyArray(part.logprobs)) losses.add('logprobs')
  }
}
