import type { Emit, ReplyOrigin } from '../../canonical/codec.ts'
import type { BlockHead, Seal, ToolCallHead } from '../../canonical/reply-event.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { textOf } from '../../values/values.ts'
import { reasoningProof } from '../reasoning-proof.ts'
import { type ItemPiece, type PieceKind, piecesOfItem, rankOf } from './item-pieces.ts'

/**
 * An item has two sides, because it can be complete on the wire while it still waits for the items before it.
 *
 * Input:   growing -> finished          the vendor sent the item as a whole, or the reply ended
 */
type ItemInput = { readonly kind: 'growing' } | { readonly kind: 'finished'; readonly seal: Seal | undefined }

/**
 * Output:   between-blocks -> in-block   the next block can be named
 *           in-block -> between-blocks   all of the block was emitted
 *           between-blocks -> done       all of the finished item was emitted, or it can never be (`fault`)
 *
 * The text of `piece` is emitted now; other pieces wait until it is complete.
 */
type ItemOutput =
  | { readonly kind: 'between-blocks'; piece: ItemPiece | undefined }
  | { readonly kind: 'in-block'; piece: ItemPiece | undefined }
  | { readonly kind: 'done'; readonly fault: string | undefined }

/**
 * Reads one output item. It collects pieces as they arrive and emits them in order once the item is in front. A block is
 * one part of a message, a whole reasoning or a call.
 */
export class ItemReader {
  readonly type: string
  readonly id: string
  readonly #origin: ReplyOrigin
  readonly #emit: Emit
  readonly #pieces: ItemPiece[] = []
  #raw: JsonObject
  #input: ItemInput = GROWING
  #output: ItemOutput = { kind: 'between-blocks', piece: undefined }

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

  /** Whether nothing more will arrive. */
  get isFinished(): boolean {
    return this.#input.kind === 'finished'
  }

  /** Whether nothing more will be emitted. */
  get isDone(): boolean {
    return this.#output.kind === 'done'
  }

  /** Reason for which nothing of the item can be emitted. */
  get fault(): string | undefined {
    return this.#output.kind === 'done' ? this.#output.fault : undefined
  }

  begin(kind: PieceKind, event: JsonObject): void {
    if (!this.isFinished) this.#pieceOf(kind, event)
  }

  /** Returns false if the text has to wait for `emitReady`. */
  append(kind: PieceKind, event: JsonObject, text: string): boolean {
    if (this.isFinished || text === '') return true
    const piece = this.#pieceOf(kind, event)
    if (piece.isComplete) return true
    piece.length += text.length
    if (piece.output === 'shown') {
      this.#emit({ kind: 'block-delta', text })
      return true
    }
    piece.waiting += text
    return false
  }

  /** `text` is all of the piece; the part that has not arrived yet is taken from it. */
  complete(kind: PieceKind, event: JsonObject, text: string): void {
    if (this.isFinished) return
    const piece = this.#pieceOf(kind, event)
    if (piece.isComplete) return
    if (text.length > piece.length) piece.waiting += text.slice(piece.length)
    piece.length = Math.max(piece.length, text.length)
    piece.isComplete = true
  }

  finish(raw: JsonObject): void {
    if (this.isFinished) return
    this.#raw = { ...this.#raw, ...raw }
    for (const { kind, event, text } of piecesOfItem(this.#raw)) this.complete(kind, event, text)
    for (const piece of this.#pieces) piece.isComplete = true
    const proof = textOf(raw.encrypted_content)
    const seal =
      proof === '' ? undefined : { provider: this.#origin.provider, proof: reasoningProof(raw.id, proof) }
    this.#input = { kind: 'finished', seal }
  }

  /** Emits all that can be emitted by now. The queue calls it for the item in front only. */
  emitReady(): void {
    if (this.isDone) return
    if (this.type === 'message') this.#emitMessage()
    else if (this.type === 'reasoning') this.#emitReasoning()
    else if (this.isCall) this.#emitCall()
    else this.#emitOpaque()
  }

  #emitMessage(): void {
    for (let piece = this.#currentPiece(); piece !== undefined; piece = this.#currentPiece()) {
      if (!this.#isInBlock) this.#startBlock({ kind: piece.kind === 'refusal' ? 'refusal' : 'text' })
      this.#emitWaiting(piece)
      if (!piece.isComplete) return
      this.#endBlock()
    }
    if (this.isFinished) this.#output = DONE
  }

  /** Reasoning without text and without a proof gets no block. */
  #emitReasoning(): void {
    for (let piece = this.#currentPiece(); piece !== undefined; piece = this.#currentPiece()) {
      if (piece.waiting !== '') {
        if (!this.#isInBlock) this.#startBlock({ kind: 'reasoning' })
        else if (piece.output === 'unseen') this.#emit({ kind: 'block-delta', text: '\n\n' })
        this.#emitWaiting(piece)
      }
      if (!piece.isComplete) return
      this.#closePiece()
    }
    if (this.#input.kind === 'growing') return
    const { seal } = this.#input
    if (seal !== undefined) {
      if (!this.#isInBlock) this.#startBlock({ kind: 'reasoning' })
      this.#emit({ kind: 'block-seal', seal })
    }
    if (this.#isInBlock) this.#endBlock()
    this.#output = DONE
  }

  #emitCall(): void {
    if (!this.#isInBlock) {
      const head = this.#callHead()
      if (head === undefined) return
      this.#startBlock(head)
    }
    const piece = this.#currentPiece()
    if (piece !== undefined) this.#emitWaiting(piece)
    if (!this.isFinished) return
    this.#endBlock()
    this.#output = DONE
  }

  /** undefined: the head is not known yet, or never will be. */
  #callHead(): ToolCallHead | undefined {
    const name = textOf(this.#raw.name)
    const callId = textOf(this.#raw.call_id)
    if (!this.isFinished && (name === '' || callId === '')) return undefined
    if (name === '') {
      this.#output = { kind: 'done', fault: 'the provider called a tool without saying which' }
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

  #emitOpaque(): void {
    if (!this.isFinished) return
    this.#startBlock({ kind: 'opaque', origin: 'responses', raw: this.#raw })
    this.#endBlock()
    this.#output = DONE
  }

  #pieceOf(kind: PieceKind, event: JsonObject): ItemPiece {
    const rank = rankOf(kind, event)
    const known = this.#pieces.find((piece) => piece.rank === rank)
    if (known !== undefined) return known
    const piece: ItemPiece = { kind, rank, waiting: '', length: 0, isComplete: false, output: 'unseen' }
    this.#pieces.push(piece)
    return piece
  }

  get #isInBlock(): boolean {
    return this.#output.kind === 'in-block'
  }

  #currentPiece(): ItemPiece | undefined {
    if (this.#output.kind === 'done') return undefined
    this.#output.piece ??= this.#nextPiece()
    return this.#output.piece
  }

  #nextPiece(): ItemPiece | undefined {
    let next: ItemPiece | undefined
    for (const piece of this.#pieces) {
      if (piece.output !== 'closed' && (next === undefined || piece.rank < next.rank)) next = piece
    }
    return next
  }

  #startBlock(block: BlockHead): void {
    this.#output = { kind: 'in-block', piece: this.#currentPiece() }
    this.#emit({ kind: 'block-start', block })
  }

  #emitWaiting(piece: ItemPiece): void {
    if (piece.waiting === '') return
    piece.output = 'shown'
    this.#emit({ kind: 'block-delta', text: piece.waiting })
    piece.waiting = ''
  }

  #closePiece(): void {
    if (this.#output.kind === 'done') return
    if (this.#output.piece !== undefined) this.#output.piece.output = 'closed'
    this.#output.piece = undefined
  }

  #endBlock(): void {
    this.#closePiece()
    this.#output = { kind: 'between-blocks', piece: undefined }
    this.#emit({ kind: 'block-end' })
  }
}

const GROWING: ItemInput = { kind: 'growing' }
const DONE: ItemOutput = { kind: 'done', fault: undefined }
