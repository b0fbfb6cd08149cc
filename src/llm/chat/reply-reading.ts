import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { failureOfError } from '../failure-of-error.ts'
import { hasAny } from '../hub/has-any.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import { replyEnd } from '../hub/reply-end.ts'
import type { ReplyTokens } from '../hub/reply-event.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'
import type { Emit, ReplyOrigin } from '../hub/wire.ts'
import { BlockQueue, type QueuedBlock } from './block-queue.ts'
import { BrokenReply } from './broken-reply.ts'
import { CallShelf } from './call-shelf.ts'
import { readFinish } from './read-finish.ts'
import { type Listener, readParts, type Words } from './read-parts.ts'
import { readUsage } from './read-usage.ts'

/**
 * One reply while it is read, whole or in chunks: both hold the same members, a chunk only pieces of them. The reply
 * ends when `end` is called after a `finish_reason` was seen; the usage may come anywhere before.
 */
export class ReplyReading {
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #queue: BlockQueue
  readonly #calls: CallShelf
  /** What came beside the words, and has no place in our events. */
  readonly #losses = new Set<LossName>()
  /** A chunk like the one before is the same object with another text: it has nothing new beside its words. */
  #searched: JsonObject | undefined
  readonly #listener: Listener = {
    say: (kind, text) => this.#say(kind, text),
    lose: (loss) => this.#losses.add(loss),
  }
  #words: { kind: Words; block: QueuedBlock } | undefined
  #finish: string | undefined
  #tokens: ReplyTokens | undefined
  #hasStarted = false
  #isOver = false

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#origin = origin
    this.#emit = emit
    this.#queue = new BlockQueue(emit)
    this.#calls = new CallShelf(this.#queue, origin.toolNames)
  }

  /** The vendor's count so far. Some count in every chunk: the last one is for all that came before. */
  get tokens(): ReplyTokens | undefined {
    return this.#tokens
  }

  /** One chunk of a stream, or the one body of a whole reply. `isError`: the wire said so around it. */
  take(body: unknown, isError = false): void {
    if (this.#isOver) return
    try {
      this.#takeBody(body, isError)
    } catch (error) {
      this.#failOf(error)
    }
  }

  end(): void {
    if (this.#isOver) return
    try {
      this.#end()
    } catch (error) {
      this.#failOf(error)
    }
  }

  #failOf(error: unknown): void {
    if (!(error instanceof BrokenReply)) throw error
    this.#fail({ kind: 'broken', message: error.message })
  }

  #takeBody(body: unknown, isError: boolean): void {
    if (!isJsonObject(body)) throw new BrokenReply('it is not a JSON object')
    // First of all: whatever else is wrong with it, what was used is known.
    if (isJsonObject(body.usage)) this.#tokens = readUsage(body.usage) ?? this.#tokens
    if (isError || isFailure(body)) {
      this.#fail(failureOfError(body, this.#origin))
      return
    }
    if (!this.#hasStarted) {
      this.#hasStarted = true
      this.#emit({ kind: 'reply-start', tokens: undefined })
    }
    if (typeof body.id === 'string') this.#calls.replyId = body.id
    if (hasAny(body.citations)) this.#losses.add('citations')
    for (const choice of listOf(body.choices)) {
      if (choice.index === undefined || choice.index === 0) this.#takeChoice(choice)
    }
  }

  #end(): void {
    if (this.#finish === undefined) throw new BrokenReply('it stopped before its end')
    this.#endWords()
    this.#calls.endAll()
    const finish = readFinish(this.#finish, { hasCalls: this.#calls.hasAny })
    if ('failure' in finish) {
      this.#fail(finish.failure)
      return
    }
    this.#isOver = true
    this.#emit(replyEnd(finish.reason, this.#tokens, this.#losses))
  }

  #fail(failure: ReplyFailure): void {
    this.#isOver = true
    this.#emit({ kind: 'reply-failed', failure })
  }

  #takeChoice(choice: JsonObject): void {
    const said = choice.delta ?? choice.message ?? {}
    if (!isJsonObject(said)) throw new BrokenReply('what it says is not an object')
    this.#takeReasoning(said)
    this.#takeWords(said)
    if (said !== this.#searched) this.#searchForLosses(said, choice)
    const calls = said.tool_calls ?? (said.function_call ? [{ index: 0, function: said.function_call }] : [])
    for (const call of listOf(calls)) {
      this.#endWords()
      this.#calls.take(call)
    }
    const { finish_reason: finish } = choice
    if (typeof finish === 'string' && finish !== '') this.#finish = finish
  }

  #searchForLosses(said: JsonObject, { logprobs }: JsonObject): void {
    this.#searched = said
    if (hasAny(said.images) || isJsonObject(said.audio)) this.#losses.add('unknown_block')
    if (hasAny(said.annotations)) this.#losses.add('citations')
    if (isJsonObject(logprobs) && hasAny(logprobs.content)) this.#losses.add('logprobs')
  }

  /** It has two names, and a vendor that knows both may leave one empty. Details repeat it, or stand for it. */
  #takeReasoning({ reasoning_content: thought, reasoning, reasoning_details: details }: JsonObject): void {
    if (typeof thought === 'string' && thought !== '') this.#say('reasoning', thought)
    else if (typeof reasoning === 'string' && reasoning !== '') this.#say('reasoning', reasoning)
    else if (Array.isArray(details)) readParts(details, 'reasoning', this.#listener)
  }

  #takeWords({ content, refusal }: JsonObject): void {
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
    }
    this.#queue.write(this.#words.block, text)
  }

  #endWords(): void {
    if (this.#words !== undefined) this.#queue.end(this.#words.block)
    this.#words = undefined
  }
}

/** Said in the middle of a stream, or in place of a reply. */
function isFailure({ error, object }: JsonObject): boolean {
  return !isAbsent(error) || object === 'error'
}

function listOf(value: unknown): JsonObject[] {
  if (isAbsent(value)) return NOTHING
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw new BrokenReply('it has something else for a list')
  return value
}

const NOTHING: JsonObject[] = []
