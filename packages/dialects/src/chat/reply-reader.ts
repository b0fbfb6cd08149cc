import type { Emit, ReplyOrigin } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { EndReason, ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { replyEnd } from '../canonical/reply-event.ts'
import { failureOfError } from '../errors/failure-of-error.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { isNil, isNonEmptyArray, type Unchecked } from '../values/values.ts'
import { BlockQueue, type QueuedBlock } from './block-queue.ts'
import { errorIn, StreamFormatError } from './error-in.ts'
import { type Finish, readFinish } from './read-finish.ts'
import { type PartListener, readParts, type TextKind } from './read-parts.ts'
import { ChatCount } from './read-usage.ts'
import { sealReasoning } from './seal-reasoning.ts'
import { ToolCallList } from './tool-call-list.ts'
import type { ChatChoice, ChatChunk, Delta } from './wire.ts'

/**
 * State of a reply:
 *
 *   waiting  -> started    the first chunk that is not an error
 *   started  -> finished   a chunk had a `finish_reason`; text, calls and the usage may still follow
 *   finished -> finished   another `finish_reason` replaced a good one
 *   any      -> ended      `reply-end` or `reply-failed` was emitted; further chunks are ignored
 */
type ReplyState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'started' }
  | { readonly kind: 'finished'; readonly finish: Finish }
  | { readonly kind: 'ended' }

/** Reads one reply, whole or in chunks: a chunk has the members of a whole reply, with pieces of their values. */
export class ChatReplyReader {
  #state: ReplyState = WAITING
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #queue: BlockQueue
  readonly #calls: ToolCallList
  /** Losses of content beside the text that has no place in our events. */
  readonly #losses = new Set<LossName>()
  /** `ChunkReader` returns this same object for a chunk that differs only in its text. */
  #body: Unchecked<ChatChunk> | undefined
  #delta: Unchecked<Delta> | undefined
  readonly #listener: PartListener = {
    appendText: (kind, text) => this.#appendText(kind, text),
    addLoss: (loss) => this.#losses.add(loss),
  }
  #text: { kind: TextKind; block: QueuedBlock } | undefined
  readonly #seen = new Set<TextKind>()
  readonly #count = new ChatCount({ hasMany: false })
  /** The vendor has `message` in every chunk instead of `delta`. */
  #usesMessageKey = false

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#origin = origin
    this.#emit = origin.sealsReasoning ? sealReasoning(origin.provider, emit) : emit
    this.#queue = new BlockQueue(this.#emit)
    this.#calls = new ToolCallList(this.#queue, origin)
  }

  /** The vendor's count so far. */
  get tokens(): ReplyTokens | undefined {
    return this.#count.tokens
  }

  get vendorUsage(): unknown {
    return this.#count.vendorUsage
  }

  /** Whether a `finish_reason` has come that is not a failure. */
  get hasFinished(): boolean {
    return this.#state.kind === 'finished' && this.#state.finish.kind !== 'failed'
  }

  /** Takes one chunk of a stream, or the one body of a whole reply. `isError`: its event is named `error`. */
  take(body: unknown, isError = false): void {
    if (this.#state.kind === 'ended') return
    try {
      this.#takeBody(body, isError)
    } catch (error) {
      this.#failOf(error)
    }
  }

  end(): void {
    if (this.#state.kind === 'ended') return
    try {
      this.#end()
    } catch (error) {
      this.#failOf(error)
    }
  }

  #failOf(error: unknown): void {
    if (!(error instanceof StreamFormatError)) throw error
    this.#fail({ kind: 'broken', message: error.message })
  }

  #takeBody(body: unknown, isError: boolean): void {
    if (!isJsonObject(body)) throw new StreamFormatError('it is not a JSON object')
    if (body !== this.#body || isError) this.#readEnvelope(body, isError)
    if (this.#state.kind === 'ended') return
    for (const choice of listOf(body.choices)) {
      if ((choice.index ?? 0) === 0) this.#takeChoice(choice)
    }
  }

  /** Reads the members of a chunk beside its choices. */
  #readEnvelope(body: Unchecked<ChatChunk>, isError: boolean): void {
    this.#body = body
    // The usage comes first: it counts even if the rest of the chunk cannot be read.
    this.#count.add(body)
    const error = isError ? body : errorIn(body)
    if (error !== undefined) {
      this.#fail(failureOfError(error, this.#origin))
      return
    }
    if (this.#state.kind === 'waiting') {
      this.#state = STARTED
      this.#emit({ kind: 'reply-start', tokens: undefined })
    }
    if (typeof body.id === 'string') this.#calls.replyId = body.id
    if (isNonEmptyArray(body.citations)) this.#losses.add('citations')
  }

  #end(): void {
    if (this.#state.kind !== 'finished') throw new StreamFormatError('it stopped before its end')
    const { finish } = this.#state
    if (finish.kind === 'failed') {
      this.#fail(finish.failure)
      return
    }
    this.#endText()
    this.#endCalls(finish)
    // Some vendors send "stop" after calls, and a few "tool_calls" without any.
    const good = this.#calls.isEmpty ? endOfText(finish) : ({ kind: 'tool-calls' } as const)
    this.#state = ENDED
    const reason = finish.kind === 'cut' ? finish.reason : good
    this.#emit(replyEnd(reason, this.#count.atEnd, this.#losses))
  }

  /** Ends the calls and drops empty ones. Fails if nothing remains of a reply that ended well. */
  #endCalls({ kind }: Finish): void {
    const hadAny = !this.#queue.isEmpty
    this.#calls.endAll()
    if (hadAny && this.#queue.isEmpty && kind === 'well') throw new StreamFormatError('a call has no name')
  }

  #fail(failure: StreamError): void {
    this.#state = ENDED
    this.#emit({ kind: 'reply-failed', failure })
  }

  #takeChoice(choice: Unchecked<ChatChoice>): void {
    const delta = choice.delta ?? choice.message ?? {}
    if (!isJsonObject(delta)) throw new StreamFormatError('its delta is not an object')
    if (delta === choice.message) this.#takeMessage(delta)
    else this.#takeDelta(delta, { distinct: false })
    if (delta !== this.#delta) this.#readChoiceExtras(delta, choice)
    const { finish_reason: finish, stop_reason: stop, matched_stop: match } = choice
    if (typeof finish === 'string' && finish !== '') this.#takeFinish(readFinish(finish, stop ?? match))
  }

  /** A message after deltas repeats them: only its new content is taken. */
  #takeMessage(message: Unchecked<Delta>): void {
    const isRepeat = !this.#queue.isEmpty && !this.#usesMessageKey
    this.#takeDelta(isRepeat ? this.#withoutSeen(message) : message, { distinct: true })
    this.#usesMessageKey = !this.#queue.isEmpty && !isRepeat
  }

  #withoutSeen({
    content,
    refusal,
    tool_calls: calls,
    function_call: call,
    ...rest
  }: Unchecked<Delta>): Unchecked<Delta> {
    return {
      ...(this.#seen.has('reasoning') ? {} : rest),
      ...(this.#seen.has('text') ? {} : { content }),
      ...(this.#seen.has('refusal') ? {} : { refusal }),
      ...(this.#calls.isEmpty ? { tool_calls: calls, function_call: call } : {}),
    }
  }

  #takeDelta(delta: Unchecked<Delta>, { distinct }: { distinct: boolean }): void {
    this.#takeReasoning(delta)
    this.#takeContent(delta)
    const calls =
      delta.tool_calls ?? (delta.function_call ? [{ index: 0, function: delta.function_call }] : [])
    const entries = listOf(calls)
    if (entries.length === 0) return
    this.#endText()
    this.#calls.take(entries, { distinct })
  }

  /** The first end that is not good stays, whatever comes after. */
  #takeFinish(finish: Finish): void {
    if (this.#state.kind === 'finished' && this.#state.finish.kind !== 'well') return
    this.#state = { kind: 'finished', finish }
  }

  #readChoiceExtras(delta: Unchecked<Delta>, { logprobs, error }: Unchecked<ChatChoice>): void {
    this.#delta = delta
    if (isNonEmptyArray(delta.images) || isJsonObject(delta.audio)) this.#losses.add('unknown_block')
    if (isNonEmptyArray(delta.annotations)) this.#losses.add('citations')
    if (isJsonObject(logprobs) && isNonEmptyArray(logprobs.content)) this.#losses.add('logprobs')
    if (errorIn({ error }) === undefined) return
    this.#takeFinish({ kind: 'failed', failure: failureOfError({ error }, this.#origin) })
  }

  /** Reasoning has two names, and a vendor that knows both may leave one empty. Details repeat it, or replace it. */
  #takeReasoning({
    reasoning_content: thought,
    reasoning,
    reasoning_details: details,
  }: Unchecked<Delta>): void {
    if (typeof thought === 'string' && thought !== '') this.#appendText('reasoning', thought)
    else if (typeof reasoning === 'string' && reasoning !== '') this.#appendText('reasoning', reasoning)
    else if (Array.isArray(details)) readParts(details, 'reasoning', this.#listener)
  }

  #takeContent({ content, refusal }: Unchecked<Delta>): void {
    if (typeof content === 'string') this.#appendText('text', content)
    else readParts(listOf(content), 'text', this.#listener)
    if (typeof refusal === 'string') this.#appendText('refusal', refusal)
  }
  #appendText(kind: TextKind, text: string): void {
    if (text === '') return
    if (this.#text?.kind !== kind) {
      this.#endText()
      this.#calls.endWholeOnes()
      this.#text = { kind, block: this.#queue.open({ kind }) }
      this.#seen.add(kind)
    }
    this.#queue.write(this.#text.block, text)
  }
  #endText(): void {
    if (this.#text !== undefined) this.#queue.end(this.#text.block)
    this.#text = undefined
  }
}

function endOfText(finish: Finish): EndReason {
  const sequence = finish.kind === 'well' ? finish.sequence : undefined
  return sequence === undefined ? { kind: 'done' } : { kind: 'stop-sequence', sequence }
}

function listOf(value: unknown): JsonObject[] {
  if (isNil(value)) return NOTHING
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw new StreamFormatError('one of its lists is not a list of objects')
  return value
}

const NOTHING: JsonObject[] = []

const WAITING: ReplyState = { kind: 'waiting' }
const STARTED: ReplyState = { kind: 'started' }
const ENDED: ReplyState = { kind: 'ended' }
