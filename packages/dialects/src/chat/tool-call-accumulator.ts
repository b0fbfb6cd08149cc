import type { ReplyOrigin } from '../canonical/codec.ts'
import type { ToolCallHead } from '../canonical/reply-event.ts'
import { createTextInput, type TextInput } from '../canonical/text-input.ts'
import type { JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import type { BlockQueue, QueuedBlock } from './block-queue.ts'
import { sealCallSignature } from './call-signature.ts'
import { StreamFormatError } from './error-in.ts'
import type { CallPiece, KnownCall } from './find-call.ts'

export interface ToolCallAccumulatorOptions {
  queue: BlockQueue
  origin: ReplyOrigin
  /** Ids of the other calls of the reply, as sent to the client. */
  sentIds: Set<string>
  substituteId: string
}

/** Collects one call from pieces of any size: its id, its name, and then its arguments. */
export class ToolCallAccumulator implements KnownCall {
  readonly #options: ToolCallAccumulatorOptions
  readonly #queue: BlockQueue
  readonly #block: QueuedBlock
  #index: number | undefined
  #id = ''
  #name = ''
  #arguments = ''
  #signature: JsonObject | undefined
  /** Id of the call for the client; empty until it was sent. */
  #sentId = ''
  readonly #depth = new JsonDepth()
  /**
   * Whether the arguments are one closed object; undefined: the object is still open. Text behind a closed object
   * makes this false.
   */
  #isObject: boolean | undefined
  #isBlank = true
  /** Arguments that `#depth` has not read yet: `isWhole` feeds them when it is asked. */
  #unread = ''
  #hasWholeName: boolean | undefined
  /** True while no argument was emitted: the name is missing, or the arguments may still be `null`. */
  #isHeld = true
  #textInput: TextInput | undefined

  constructor(options: ToolCallAccumulatorOptions) {
    this.#options = options
    this.#queue = options.queue
    this.#block = options.queue.open()
  }

  get index(): number | undefined {
    return this.#index
  }

  get id(): string {
    return this.#id
  }

  get name(): string {
    return this.#name
  }

  get arguments(): string {
    return this.#arguments
  }

  /** Whether the arguments are a closed object, which is parsed once, or `null`, which some vendors write for none. */
  get isWhole(): boolean {
    if (this.#isObject === undefined) {
      this.#depth.feed(this.#unread)
      this.#unread = ''
      if (this.#depth.hasClosedObject) this.#isObject = parseOrNone(this.#arguments) !== undefined
    }
    return this.#isObject ?? isNull(this.#arguments)
  }

  get hasWholeName(): boolean {
    return this.#hasWholeName === true
  }

  get isEnded(): boolean {
    return this.#block.isEnded
  }

  /** Whether the call is empty: a few vendors end with such a call beside their text. */
  get isEmpty(): boolean {
    return this.#name === '' && this.#isBlank
  }

  add(piece: CallPiece): void {
    const { index, id, name, arguments: spelled = '' } = piece
    if (this.#isRepeatedBy(piece)) return
    this.#hasWholeName ??= name !== '' && piece.arguments !== undefined
    this.#index = index ?? this.#index
    if (this.#id === '') this.#id = id
    // Some vendors send a name in pieces, others repeat it; a name is complete once arguments follow.
    if (this.#block.head === undefined && name !== this.#name) this.#name += name
    if (spelled !== '') this.#addArguments(spelled)
  }

  /** The signature precedes its call, where clients keep it best; a late one follows. */
  addSignature(signature: JsonObject): void {
    if (this.#signature !== undefined) return
    this.#signature = signature
    if (this.#sentId !== '') this.#emitSignature(signature)
  }

  /** Ends a call whose object is complete, so that the next block need not wait for the end of the reply. */
  endIfWhole(): void {
    if (this.#block.head !== undefined && !this.#block.isEnded && this.isWhole) this.end()
  }

  end(): void {
    if (this.#block.isEnded) return
    if (this.isEmpty) {
      this.#queue.drop(this.#block)
      return
    }
    if (this.#name === '') throw new StreamFormatError('a call has no name')
    if (this.#block.head === undefined) this.#begin()
    if (this.#isHeld && !isNone(this.#arguments)) this.#write(this.#arguments)
    if (this.#textInput !== undefined) this.#queue.write(this.#block, this.#textInput.end())
    this.#queue.end(this.#block)
  }

  /** Some vendors repeat the whole call at the end. */
  #isRepeatedBy({ id, name, arguments: spelled }: CallPiece): boolean {
    return id !== '' && id === this.#id && name === this.#name && spelled === this.#arguments && this.isWhole
  }

  #addArguments(piece: string): void {
    const isBlank = piece.trim() === ''
    if (this.#block.isEnded && isBlank) return
    if (this.#block.isEnded) throw new StreamFormatError('a call goes on after its end')
    if (!isBlank) {
      this.#isBlank = false
      if (this.#isObject === true) this.#isObject = false
    }
    this.#arguments += piece
    this.#unread += piece
    if (this.#name === '') return
    if (this.#block.head === undefined) this.#begin()
    if (!this.#isHeld) this.#write(piece)
    else if (!mayBeNone(this.#arguments)) {
      this.#isHeld = false
      this.#write(this.#arguments)
    }
  }

  #begin(): void {
    const { origin, sentIds, substituteId } = this.#options
    const own = origin.toolNames.get(this.#name)
    const head: ToolCallHead = {
      kind: 'tool-call',
      callId: this.#id === '' || sentIds.has(this.#id) ? substituteId : this.#id,
      name: own?.name ?? this.#name,
      namespace: own?.namespace,
      input: own?.input ?? 'json',
    }
    sentIds.add(head.callId)
    if (head.input === 'text') this.#textInput = createTextInput()
    this.#sentId = head.callId
    if (this.#signature !== undefined) this.#emitSignature(this.#signature, { before: this.#block })
    this.#queue.name(this.#block, head)
  }

  #emitSignature(signature: JsonObject, place?: { before: QueuedBlock }): void {
    const { provider } = this.#options.origin
    this.#queue.addSeal(sealCallSignature(provider, { callId: this.#sentId, signature }), place)
  }

  #write(piece: string): void {
    this.#queue.write(this.#block, this.#textInput === undefined ? piece : this.#textInput.push(piece))
  }
}

/** Some vendors write null for a call without arguments. */
function isNone(spelled: string): boolean {
  const text = spelled.trim()
  return text === '' || text === 'null'
}

/** Blanks beyond this length are emitted, so that a model which writes only blanks does not stall its stream. */
const HELD_CHARACTERS_MAX = 16

function isNull(spelled: string): boolean {
  return spelled.length <= HELD_CHARACTERS_MAX && spelled.trim() === 'null'
}

function mayBeNone(spelled: string): boolean {
  return spelled.length <= HELD_CHARACTERS_MAX && 'null'.startsWith(spelled.trim())
}

/** Tracks whether the braces and brackets of a JSON text are closed. It is fed piece by piece and reads nothing twice. */
export class JsonDepth {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last character that is not a blank. */
  #last = 0

  get isClosed(): boolean {
    return this.#depth === 0 && !this.#isInString
  }

  get hasClosedObject(): boolean {
    return this.isClosed && this.#last === CLOSE_BRACE
  }

  feed(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) this.#read(piece.charCodeAt(at))
  }

  #read(code: number): void {
    if (code > SPACE) this.#last = code
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === QUOTE) this.#isInString = !this.#isInString
    else if (this.#isInString) this.#isEscaped = code === BACKSLASH
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth -= 1
  }
}

const SPACE = 32
const QUOTE = 34
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
