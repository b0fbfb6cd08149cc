import type { JsonObject } from '../../domain/json-object.ts'
import type { BlockHead, Seal, ToolCallHead } from '../hub/reply-event.ts'
import type { Emit, ReplyOrigin } from '../hub/wire.ts'
import { type Piece, type PieceKind, piecesOfItem, rankOf } from './item-pieces.ts'
import { reasoningProof } from './reasoning-proof.ts'
import { textOf } from './text-of.ts'

/**
 * One output item on its way in. It gathers its pieces whenever they come and speaks them in their order once it is in
 * front: each part of a message is a block, all of a reasoning is one, and so is a call.
 */
export class ItemReading {
  readonly type: string
  readonly id: string
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #pieces: Piece[] = []
  #raw: JsonObject
  #seal: Seal | undefined
  /** The piece that is being spoken. */
  #current: Piece | undefined
  #isOpen = false
  #hasSpoken = false
  #isFinished = false
  #isThrough = false
  #fault: string | undefined

  constructor(raw: JsonObject, origin: ReplyOrigin, emit: Emit) {
    this.type = textOf(raw.type)
    this.id = textOf(raw.id)
    this.#raw = raw
    this.#origin = origin
    this.#emit = emit
  }

  get isCall(): boolean {
    return this.type === 'function_call' || this.type === 'custom_tool_call'
  }

  /** Nothing more will come. */
  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Everything has been spoken. */
  get isThrough(): boolean {
    return this.#isThrough
  }

  get fault(): string | undefined {
    return this.#fault
  }

  begin(kind: PieceKind, event: JsonObject): void {
    if (!this.#isFinished) this.#pieceOf(kind, event)
  }

  /** Whether it was spoken at once; else it waits until the item is asked to speak. */
  append(kind: PieceKind, event: JsonObject, text: string): boolean {
    if (this.#isFinished || text === '') return true
    const piece = this.#pieceOf(kind, event)
    if (piece.isDone) return true
    piece.length += text.length
    if (piece.hasSpoken && piece === this.#current) {
      this.#emit({ kind: 'block-delta', text })
      return true
    }
    piece.waiting += text
    return false
  }

  /** `text` is all of the piece; what of it did not come yet is taken from here. */
  complete(kind: PieceKind, event: JsonObject, text: string): void {
    if (this.#isFinished) return
    const piece = this.#pieceOf(kind, event)
    if (piece.isDone) return
    if (text.length > piece.length) piece.waiting += text.slice(piece.length)
    piece.length = Math.max(piece.length, text.length)
    piece.isDone = true
  }

  finish(raw: JsonObject): void {
    if (this.#isFinished) return
    this.#raw = { ...this.#raw, ...raw }
    for (const { kind, event, text } of piecesOfItem(this.#raw)) this.complete(kind, event, text)
    for (const piece of this.#pieces) piece.isDone = true
    const proof = textOf(raw.encrypted_content)
    if (proof !== '') this.#seal = { provider: this.#origin.provider, proof: reasoningProof(raw.id, proof) }
    this.#isFinished = true
  }

  /** Emits all that can be said by now. Only the item in front is asked. */
  speak(): void {
    if (this.#isThrough) return
    if (this.type === 'message') this.#speakMessage()
    else if (this.type === 'reasoning') this.#speakReasoning()
    else if (this.isCall) this.#speakCall()
    else this.#speakOpaque()
  }

  #speakMessage(): void {
    for (;;) {
      this.#current ??= this.#nextPiece()
      const piece = this.#current
      if (piece === undefined) break
      if (!this.#isOpen) this.#startBlock({ kind: piece.kind === 'refusal' ? 'refusal' : 'text' })
      this.#sayWaiting(piece)
      if (!piece.isDone) return
      this.#endBlock()
    }
    this.#isThrough = this.#isFinished
  }

  /** Reasoning that shows nothing and proves nothing is not worth a block. */
  #speakReasoning(): void {
    for (;;) {
      this.#current ??= this.#nextPiece()
      const piece = this.#current
      if (piece === undefined) break
      if (piece.waiting !== '') {
        if (!this.#isOpen) this.#startBlock({ kind: 'reasoning' })
        if (this.#hasSpoken && !piece.hasSpoken) this.#emit({ kind: 'block-delta', text: '\n\n' })
        this.#hasSpoken = true
        this.#sayWaiting(piece)
      }
      if (!piece.isDone) return
      piece.isThrough = true
      this.#current = undefined
    }
    if (!this.#isFinished) return
    if (this.#seal !== undefined) {
      if (!this.#isOpen) this.#startBlock({ kind: 'reasoning' })
      this.#emit({ kind: 'block-seal', seal: this.#seal })
    }
    if (this.#isOpen) this.#endBlock()
    this.#isThrough = true
  }

  #speakCall(): void {
    if (!this.#isOpen) {
      const head = this.#callHead()
      if (head === undefined) return
      this.#startBlock(head)
    }
    this.#current ??= this.#nextPiece()
    if (this.#current !== undefined) this.#sayWaiting(this.#current)
    if (!this.#isFinished) return
    this.#endBlock()
    this.#isThrough = true
  }

  /** undefined: it is not known yet, or will never be. */
  #callHead(): ToolCallHead | undefined {
    const name = textOf(this.#raw.name)
    const callId = textOf(this.#raw.call_id)
    if (!this.#isFinished && (name === '' || callId === '')) return undefined
    if (name === '') {
      this.#fault = 'the provider called a tool without saying which'
      this.#isThrough = true
      return undefined
    }
    const own = this.#origin.toolNames.get(name)
    return {
      kind: 'tool-call',
      callId: callId || this.id || `call_${name}`,
      name: own?.name ?? name,
      namespace: textOf(this.#raw.namespace) || own?.namespace,
      input: this.type === 'custom_tool_call' ? 'text' : 'json',
    }
  }

  #speakOpaque(): void {
    if (!this.#isFinished) return
    this.#startBlock({ kind: 'opaque', origin: 'responses', raw: this.#raw })
    this.#endBlock()
    this.#isThrough = true
  }

  #pieceOf(kind: PieceKind, event: JsonObject): Piece {
    const rank = rankOf(kind, event)
    const known = this.#pieces.find((piece) => piece.rank === rank)
    if (known !== undefined) return known
    const piece: Piece = {
      kind,
      rank,
      waiting: '',
      length: 0,
      isDone: false,
      isThrough: false,
      hasSpoken: false,
    }
    this.#pieces.push(piece)
    return piece
  }

  #nextPiece(): Piece | undefined {
    let next: Piece | undefined
    for (const piece of this.#pieces) {
      if (!piece.isThrough && (next === undefined || piece.rank < next.rank)) next = piece
    }
    return next
  }

  #startBlock(block: BlockHead): void {
    this.#isOpen = true
    this.#emit({ kind: 'block-start', block })
  }

  #sayWaiting(piece: Piece): void {
    if (piece.waiting === '') return
    piece.hasSpoken = true
    this.#emit({ kind: 'block-delta', text: piece.waiting })
    piece.waiting = ''
  }

  #endBlock(): void {
    if (this.#current !== undefined) this.#current.isThrough = true
    this.#current = undefined
    this.#isOpen = false
    this.#emit({ kind: 'block-end' })
  }
}
