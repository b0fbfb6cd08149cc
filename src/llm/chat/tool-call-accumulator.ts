import type { JsonObject } from '../../domain/json-object.ts'
import type { ReplyOrigin } from '../canonical/codec.ts'
import type { ToolCallHead } from '../canonical/reply-event.ts'
import { createTextInput, type TextInput } from '../canonical/text-input.ts'
import { parseOrNone } from '../values/values.ts'
import type { BlockQueue, QueuedBlock } from './block-queue.ts'
import { sealCallSignature } from './call-signature.ts'
import { StreamFormatError } from './error-in.ts'
import type { CallPiece, KnownCall } from './find-call.ts'

export interface ToolCallAccumulatorOptions {
  queue: BlockQueue
  origin: ReplyOrigin
  /** The ids that other calls of the reply have for the client. */
  toldIds: Set<string>
  standInId: string
}

/** One call while it is being spelled: its id, its name, and then its arguments, in pieces of any size. */
export class ToolCallAccumulator implements KnownCall {
  readonly #options: ToolCallAccumulatorOptions
  readonly #queue: BlockQueue
  readonly #block: QueuedBlock
  #index: number | undefined
  #id = ''
  #name = ''
  #arguments = ''
  #signature: JsonObject | undefined
  /** What the client calls it; empty until it was told. */
  #toldId = ''
  readonly #depth = new JsonDepth()
  /** undefined: its object is still open. What stands behind a closed object never makes it whole again. */
  #isObject: boolean | undefined
  #isBlank = true
  /** Arguments that `#depth` has not read yet: most vendors number their calls, and then it is never needed. */
  #unread = ''
  #hasBegunAtOnce: boolean | undefined
  /** Nothing of the arguments was told so far: the name is not there, or they may still be `null`. */
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

  /** An object, or `null`, which some vendors write for none. Blanks may follow. An object is parsed once, when it closes. */
  get isWhole(): boolean {
    if (this.#isObject === undefined) {
      this.#depth.feed(this.#unread)
      this.#unread = ''
      if (this.#depth.hasClosedObject) this.#isObject = parseOrNone(this.#arguments) !== undefined
    }
    return this.#isObject ?? isNull(this.#arguments)
  }

  get hasBegunAtOnce(): boolean {
    return this.#hasBegunAtOnce === true
  }

  get isEnded(): boolean {
    return this.#block.isEnded
  }

  /** A few vendors end with a call that says nothing, beside the words they meant. */
  get isNothing(): boolean {
    return this.#name === '' && this.#isBlank
  }

  add(piece: CallPiece): void {
    const { index, id, name, arguments: spelled = '' } = piece
    if (this.#isRepeatedBy(piece)) return
    this.#hasBegunAtOnce ??= name !== '' && piece.arguments !== undefined
    this.#index = index ?? this.#index
    if (this.#id === '') this.#id = id
    // Some vendors cut a name into pieces, others repeat it; once its arguments come it is whole.
    if (this.#block.head === undefined && name !== this.#name) this.#name += name
    if (spelled !== '') this.#addArguments(spelled)
  }

  /** It goes in front of its call, where clients keep it best; one that comes late goes behind. */
  addSignature(signature: JsonObject): void {
    if (this.#signature !== undefined) return
    this.#signature = signature
    if (this.#toldId !== '') this.#emitSignature(signature)
  }

  /** Nothing can follow a whole object, so that the next block need not wait for the end of the reply. */
  endIfWhole(): void {
    if (this.#block.head !== undefined && !this.#block.isEnded && this.isWhole) this.end()
  }

  end(): void {
    if (this.#block.isEnded) return
    if (this.isNothing) {
      this.#queue.drop(this.#block)
      return
    }
    if (this.#name === '') throw new StreamFormatError('a call has no name')
    if (this.#block.head === undefined) this.#begin()
    if (this.#isHeld && !isNone(this.#arguments)) this.#write(this.#arguments)
    if (this.#textInput !== undefined) this.#queue.write(this.#block, this.#textInput.end())
    this.#queue.end(this.#block)
  }

  /** Some vendors tell the whole call once more at the end. */
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
    const { origin, toldIds, standInId } = this.#options
    const own = origin.toolNames.get(this.#name)
    const head: ToolCallHead = {
      kind: 'tool-call',
      callId: this.#id === '' || toldIds.has(this.#id) ? standInId : this.#id,
      name: own?.name ?? this.#name,
      namespace: own?.namespace,
      input: own?.input ?? 'json',
    }
    toldIds.add(head.callId)
    if (head.input === 'text') this.#textInput = createTextInput()
    this.#toldId = head.callId
    if (this.#signature !== undefined) this.#emitSignature(this.#signature, { before: this.#block })
    this.#queue.name(this.#block, head)
  }

  #emitSignature(signature: JsonObject, place?: { before: QueuedBlock }): void {
    const { provider } = this.#options.origin
    this.#queue.addSeal(sealCallSignature(provider, { callId: this.#toldId, signature }), place)
  }

  #write(piece: string): void {
    this.#queue.write(this.#block, this.#textInput === undefined ? piece : this.#textInput.push(piece))
  }
}

/** Some vendors write null for a call without arguments. */
function isNone(spelled: string): boolean {
  const said = spelled.trim()
  return said === '' || said === 'null'
}

/** A model that falls into writing blanks is not waited for. */
const HELD_CHARACTERS_MAX = 16

function isNull(spelled: string): boolean {
  return spelled.length <= HELD_CHARACTERS_MAX && spelled.trim() === 'null'
}

function mayBeNone(spelled: string): boolean {
  return spelled.length <= HELD_CHARACTERS_MAX && 'null'.startsWith(spelled.trim())
}

/** Tells whether the braces and brackets of a JSON text are closed. It is fed piece by piece and reads nothing twice. */
export class JsonDepth {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last one that is no blank. */
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
