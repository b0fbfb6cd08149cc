import type { ReplyHead } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type {
  BlockHead,
  EndReason,
  ReplyEvent,
  ReplyTokens,
  Seal,
  StreamError,
} from '../canonical/reply-event.ts'
import { FAILURE_CODES } from '../contract/error-envelope.ts'
import type { EventFrames } from './event-frames.ts'
import { ItemWriter } from './items/item-writer.ts'
import { type ReplyProgress, ResponseEnvelope } from './response-envelope.ts'

/**
 * Writes one reply: collects the response object, and writes each step to `frames` where the client streams.
 *
 *   new --start--> in_progress --reply-end--> completed | incomplete; new, in_progress --reply-failed--> failed
 */
export class ResponsesReplyWriter {
  readonly losses = new Set<LossName>()
  readonly #head: ReplyHead
  readonly #frames: EventFrames | undefined
  readonly #envelope: ResponseEnvelope
  readonly #output: ItemWriter['item'][] = []
  #progress: ReplyProgress
  #hasStarted = false
  #heldLength = 0
  #item: ItemWriter | undefined
  /** Whether this dialect cannot carry the open block. */
  #isLost = false

  constructor(head: ReplyHead, frames: EventFrames | undefined) {
    this.#head = head
    this.#frames = frames
    this.#envelope = new ResponseEnvelope(head)
    this.#progress = {
      status: 'in_progress',
      output: this.#output,
      outputText: '',
      tokens: undefined,
      error: null,
      incompleteReason: undefined,
    }
  }

  get isFull(): boolean {
    return this.#heldLength > HELD_LENGTH_MAX
  }

  get items(): readonly object[] {
    return this.#output
  }

  get response(): object {
    return this.#envelope.object(this.#progress)
  }

  take(event: ReplyEvent): void {
    if (this.#progress.status !== 'in_progress') return
    switch (event.kind) {
      case 'block-delta':
        this.#heldLength += event.text.length
        this.#item?.delta(event.text)
        break
      case 'reply-start':
        this.#start()
        break
      case 'block-start':
        this.#startBlock(event.block)
        break
      case 'block-seal':
        this.#sealBlock(event.seal)
        break
      case 'block-end':
        this.#endBlock()
        break
      case 'reply-end':
        for (const loss of event.losses ?? []) this.losses.add(loss)
        this.#end(event.reason, event.tokens)
        break
      case 'reply-failed':
        this.#fail(event.failure)
    }
  }

  /** Before the first item an event can be repeated; later only a comment is safe for every client. */
  keepAlive(): void {
    if (this.#progress.status !== 'in_progress') return
    if (!this.#hasStarted) this.#start()
    else if (this.#output.length === 0) this.#writeResponse('response.in_progress')
    else this.#frames?.comment()
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#writeResponse('response.created')
    this.#writeResponse('response.in_progress')
  }

  #startBlock(block: BlockHead): void {
    this.#heldLength += BLOCK_LENGTH
    this.#start()
    this.#isLost = block.kind === 'opaque' && block.origin !== 'responses'
    if (this.#isLost) this.losses.add('unknown_block')
    else if (this.#item?.takes(block) !== true) this.#openItem(block)
    if (!this.#isLost) this.#item?.startBlock(block)
  }

  #openItem(block: BlockHead): void {
    this.#closeItem('completed')
    this.#item = new ItemWriter(block, {
      index: this.#output.length,
      newId: this.#head.newId,
      frames: this.#frames,
    })
    this.#output.push(this.#item.item)
  }

  /** Seals go only to clients that asked for them, or when the item has no text and would be empty without its seal. */
  #sealBlock(seal: Seal): void {
    const { reasoning } = this.#head.request
    if (reasoning?.wantsSeal === true || this.#item?.isUnread === true) this.#item?.seal(seal)
  }

  #endBlock(): void {
    if (this.#isLost) {
      this.#isLost = false
      return
    }
    const item = this.#item
    if (item === undefined) return
    const wantsSeal = this.#head.request.reasoning?.wantsSeal === true
    if (wantsSeal && item.isUnsealedReasoning) this.losses.add('reasoning_seal')
    item.endBlock()
  }

  /** An item ends when the next begins or the reply ends: only then is it known whether it was cut. */
  #closeItem(status: 'completed' | 'incomplete'): void {
    this.#item?.close(status)
    this.#item = undefined
  }

  #end(reason: EndReason, tokens: ReplyTokens | undefined): void {
    this.#start()
    const incompleteReason = INCOMPLETE_REASONS.get(reason.kind)
    const status = incompleteReason === undefined ? 'completed' : 'incomplete'
    this.#closeItem(status)
    this.#progress = {
      ...this.#progress,
      status,
      tokens,
      incompleteReason,
      outputText: textOfOutput(this.#output),
    }
    this.#writeResponse(`response.${status}`)
  }

  #fail({ kind, message }: StreamError): void {
    this.#start()
    this.#item?.abandon()
    const { type, code } = FAILURE_CODES[kind]
    const error = { type, code, message, param: null }
    this.#frames?.event('error', { code, message, param: null, error })
    this.#progress = {
      ...this.#progress,
      status: 'failed',
      error: { code, message },
      outputText: textOfOutput(this.#output),
    }
    this.#writeResponse('response.failed')
  }

  #writeResponse(type: string): void {
    this.#frames?.spelled(type, `"response":${this.#envelope.json(this.#progress)}`)
  }
}

/** Maximum length of the text. The final events repeat message text five times, which takes 35 ms at this length. */
const HELD_LENGTH_MAX = 2 * 1024 * 1024
/** Length of an item or a part beside its text. */
const BLOCK_LENGTH = 256

const INCOMPLETE_REASONS: ReadonlyMap<EndReason['kind'], 'max_output_tokens' | 'content_filter'> = new Map([
  ['length', 'max_output_tokens'],
  ['content-filter', 'content_filter'],
])

function textOfOutput(items: readonly ItemWriter['item'][]): string {
  let text = ''
  for (const item of items) {
    if (item.type !== 'message') continue
    for (const part of item.content) if (part.type === 'output_text') text += part.text
  }
  return text
}
