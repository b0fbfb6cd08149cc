import type { Emit } from '../canonical/codec.ts'
import type { BlockHead, Seal } from '../canonical/reply-event.ts'
import { StreamFormatError } from './error-in.ts'

/** Maximum length of the text in all waiting blocks. */
const WAITING_LENGTH_MAX = 4 * 1024 * 1024

/**
 * Blocks that may grow side by side on the wire and are emitted one after another, in the order they began. The first
 * block is live; text for the others waits for their turn.
 */
export class BlockQueue {
  readonly #emit: Emit
  readonly #blocks: QueuedBlock[] = []
  #count = 0
  #waitingLength = 0

  constructor(emit: Emit) {
    this.#emit = emit
  }

  /** Whether the reply has no block so far, emitted or not. */
  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** The head of a call may come later, by `name`; until then nothing of the block is emitted. */
  open(head?: BlockHead): QueuedBlock {
    const block = newBlock(head)
    this.#blocks.push(block)
    this.#count += 1
    this.#advance()
    return block
  }

  /** Removes a block that was never emitted. */
  drop(block: QueuedBlock): void {
    block.isEnded = true
    this.#count -= 1
    this.#blocks.splice(this.#blocks.indexOf(block), 1)
    this.#advance()
  }

  name(block: QueuedBlock, head: BlockHead): void {
    block.head ??= head
    this.#advance()
  }

  write(block: QueuedBlock, text: string): void {
    if (text === '') return
    if (block.isLive) this.#emit({ kind: 'block-delta', text })
    else this.#keep(block, text)
  }

  #keep(block: QueuedBlock, text: string): void {
    this.#waitingLength += text.length
    if (this.#waitingLength > WAITING_LENGTH_MAX)
      throw new StreamFormatError('too much of it is out of order')
    block.waiting += text
  }

  /** Adds reasoning without text, before a block that was not emitted yet, or after all others. */
  addSeal(seal: Seal, { before }: { before?: QueuedBlock } = {}): void {
    const block = { ...newBlock({ kind: 'reasoning' }), isEnded: true, seal }
    this.#blocks.splice(before === undefined ? this.#blocks.length : this.#blocks.indexOf(before), 0, block)
    this.#count += 1
    this.#advance()
  }

  end(block: QueuedBlock): void {
    block.isEnded = true
    this.#advance()
  }

  #advance(): void {
    for (let block = this.#blocks[0]; block?.head !== undefined; block = this.#blocks[0]) {
      if (!block.isLive) {
        block.isLive = true
        this.#emit({ kind: 'block-start', block: block.head })
        this.write(block, block.waiting)
        this.#waitingLength -= block.waiting.length
        block.waiting = ''
      }
      if (!block.isEnded) return
      if (block.seal !== undefined) this.#emit({ kind: 'block-seal', seal: block.seal })
      this.#emit({ kind: 'block-end' })
      this.#blocks.shift()
    }
  }
}

function newBlock(head: BlockHead | undefined): QueuedBlock {
  return { head, isLive: false, isEnded: false, waiting: '', seal: undefined }
}

export interface QueuedBlock {
  head: BlockHead | undefined
  isLive: boolean
  isEnded: boolean
  waiting: string
  seal: Seal | undefined
}
