import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { Emit, ReplyOrigin } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { replyEnd } from '../canonical/reply-event.ts'
import { failureOfError } from '../failure-of-error.ts'
import { isNil, isNonEmptyArray, type Unchecked } from '../values/values.ts'
import { BlockQueue, type QueuedBlock } from './block-queue.ts'
import { errorIn, StreamFormatError } from './error-in.ts'
import { type Finish, readFinish } from './read-finish.ts'
import { type Listener, readParts, type Words } from './read-parts.ts'
import { ChatCount } from './read-usage.ts'
import { sealReasoning } from './seal-reasoning.ts'
import { ToolCallList } from './tool-call-list.ts'
import type { ChatChunk, Choice, Delta } from './wire.ts'

/**
 * Where a reply stands:
 *
 *   waiting  -> started    the first chunk that is not an error
 *   started  -> finished   a chunk had a `finish_reason`; words, calls and the usage may still follow
 *   finished -> finished   another `finish_reason` replaced a good one
 *   any      -> ended      `reply-end` or `reply-failed` was emitted; whatever follows is ignored
 */
type State =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'started' }
  | { readonly kind: 'finished'; readonly finish: Finish }
  | { readonly kind: 'ended' }

/** One reply while it is read, whole or in chunks: both have the same members, a chunk has only pieces of them. */
export class ReplyReader {
  #state: State = WAITING
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #queue: BlockQueue
  readonly #calls: ToolCallList
  /** What came beside the words, and has no place in our events. */
  readonly #losses = new Set<LossName>()
  /** A chunk like the one before is the same object with another text: it has nothing new beside its words. */
  #body: Unchecked<ChatChunk> | undefined
  #said: Unchecked<Delta> | undefined
  readonly #listener: Listener = {
    say: (kind, text) => this.#say(kind, text),
    lose: (loss) => this.#losses.add(loss),
  }
  #words: { kind: Words; block: QueuedBlock } | undefined
  readonly #seen = new Set<Words>()
  readonly #count = new ChatCount({ hasMany: false })
  /** The vendor has `message` in every chunk where others have `delta`. */
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

  /** A good `finish_reason` has come. */
  get hasFinished(): boolean {
    return this.#state.kind === 'finished' && this.#state.finish.kind !== 'failed'
  }

  /** One chunk of a stream, or the one body of a whole reply. `isError`: the wire said so around it. */
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

  /** What is in a chunk beside its choices. */
  #readEnvelope(body: Unchecked<ChatChunk>, isError: boolean): void {
    this.#body = body
    // First of all: whatever else is wrong with it, what was used is known.
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
    this.#endWords()
    this.#endCalls(finish)
    // Some vendors say "stop" after calls, and a few "tool_calls" without any.
    const good = { kind: this.#calls.isNonEmptyArray ? 'tool-calls' : 'done' } as const
    this.#state = ENDED
    const reason = finish.kind === 'cut' ? finish.reason : good
    this.#emit(replyEnd(reason, this.#count.atEnd, this.#losses))
  }

  /** A call without a name is nothing, but a reply of nothing else lacks what it was made for, unless it was cut there. */
  #endCalls({ kind }: Finish): void {
    const hadAny = this.#queue.isNonEmptyArray
    this.#calls.endAll()
    if (hadAny && !this.#queue.isNonEmptyArray && kind === 'well')
      throw new StreamFormatError('a call has no name')
  }

  #fail(failure: StreamError): void {
    this.#state = ENDED
    this.#emit({ kind: 'reply-failed', failure })
  }

  #takeChoice(choice: Unchecked<Choice>): void {
    const said = choice.delta ?? choice.message ?? {}
    if (!isJsonObject(said)) throw new StreamFormatError('what it says is not an object')
    if (said === choice.message) this.#takeMessage(said)
    else this.#takeSaid(said, { distinct: false })
    if (said !== this.#said) this.#readChoiceExtras(said, choice)
    const { finish_reason: finish } = choice
    if (typeof finish === 'string' && finish !== '') this.#takeFinish(readFinish(finish))
  }

  /** After deltas a message repeats them: what it has beyond them is taken, and nothing twice. */
  #takeMessage(said: Unchecked<Delta>): void {
    const isRepeat = this.#queue.isNonEmptyArray && !this.#usesMessageKey
    this.#takeSaid(isRepeat ? this.#withoutSeen(said) : said, { distinct: true })
    this.#usesMessageKey = this.#queue.isNonEmptyArray && !isRepeat
  }

  #withoutSeen({
    content,
    refusal,
    tool_calls: calls,
    function_call: call,
    ...said
  }: Unchecked<Delta>): Unchecked<Delta> {
    return {
      ...(this.#seen.has('reasoning') ? {} : said),
      ...(this.#seen.has('text') ? {} : { content }),
      ...(this.#seen.has('refusal') ? {} : { refusal }),
      ...(this.#calls.isNonEmptyArray ? {} : { tool_calls: calls, function_call: call }),
    }
  }

  #takeSaid(said: Unchecked<Delta>, { distinct }: { distinct: boolean }): void {
    this.#takeReasoning(said)
    this.#takeWords(said)
    const calls = said.tool_calls ?? (said.function_call ? [{ index: 0, function: said.function_call }] : [])
    const entries = listOf(calls)
    if (entries.length === 0) return
    this.#endWords()
    this.#calls.take(entries, { distinct })
  }

  /** The first end that is not good stands, whatever comes after. */
  #takeFinish(finish: Finish): void {
    if (this.#state.kind === 'finished' && this.#state.finish.kind !== 'well') return
    this.#state = { kind: 'finished', finish }
  }

  #readChoiceExtras(said: Unchecked<Delta>, { logprobs, error }: Unchecked<Choice>): void {
    this.#said = said
    if (isNonEmptyArray(said.images) || isJsonObject(said.audio)) this.#losses.add('unknown_block')
    if (isNonEmptyArray(said.annotations)) this.#losses.add('citations')
    if (isJsonObject(logprobs) && isNonEmptyArray(logprobs.content)) this.#losses.add('logprobs')
    if (errorIn({ error }) === undefined) return
    this.#takeFinish({ kind: 'failed', failure: failureOfError({ error }, this.#origin) })
  }

  /** It has two names, and a vendor that knows both may leave one empty. Details repeat it, or stand for it. */
  #takeReasoning({
    reasoning_content: thought,
    reasoning,
    reasoning_details: details,
  }: Unchecked<Delta>): void {
    if (typeof thought === 'string' && thought !== '') this.#say('reasoning', thought)
    else if (typeof reasoning === 'string' && reasoning !== '') this.#say('reasoning', reasoning)
    else if (Array.isArray(details)) readParts(details, 'reasoning', this.#listener)
  }

  #takeWords({ content, refusal }: Unchecked<Delta>): void {
    if (typeof content === 'string') this.#say('text', content)
    else readParts(listOf(content), 'text', this.#listener)
    if (typeof refusal === 'string') this.#say('refusal', refusal)
  }

  #say(kind: Words, text: string): void {
    if (text === '') return
    if (this.#words?.kind !== kind) {
      this.#endWords()
      this.#calls.endWholeOnes()
      this.#words = { kind, block: this.#queue.open({ kind }) }
      this.#seen.add(kind)
    }
    this.#queue.write(this.#words.block, text)
  }

  #endWords(): void {
    if (this.#words !== undefined) this.#queue.end(this.#words.block)
    this.#words = undefined
  }
}

function listOf(value: unknown): JsonObject[] {
  if (isNil(value)) return NOTHING
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw new StreamFormatError('it has something else for a list')
  return value
}

const NOTHING: JsonObject[] = []

const WAITING: State = { kind: 'waiting' }
const STARTED: State = { kind: 'started' }
const ENDED: State = { kind: 'ended' }
