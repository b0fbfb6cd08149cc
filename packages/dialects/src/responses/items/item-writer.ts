import type { ReplyIdPrefix } from '../../canonical/codec.ts'
import type { BlockHead, Seal, ToolCallHead } from '../../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../../canonical/seal.ts'
import { textOf } from '../../values/values.ts'
import type { EventFrames } from '../event-frames.ts'
import type { FunctionCall, ItemStatus, OutputItem, OutputPart, SummaryPart } from '../wire.ts'
import { ARGUMENTS, BlockWriter, INPUT, REFUSAL, SUMMARY, TEXT } from './block-writer.ts'

interface ItemPlace {
  index: number
  newId: (prefix: ReplyIdPrefix) => string
  frames: EventFrames | undefined
}

/** Writes one output item of the reply, and its events. */
export class ItemWriter {
  readonly item: OutputItem | { id: string; type: undefined }
  readonly #index: number
  readonly #frames: EventFrames | undefined
  #block: BlockWriter | undefined

  constructor(block: BlockHead, { index, newId, frames }: ItemPlace) {
    this.item = block.kind === 'opaque' ? opaqueItem(block.raw, newId) : emptyItem(block, newId)
    this.#index = index
    this.#frames = frames
    frames?.event('response.output_item.added', { output_index: index, item: this.item })
  }

  get isUnsealedReasoning(): boolean {
    return this.item.type === 'reasoning' && this.item.encrypted_content === undefined
  }

  /** Whether this is reasoning without text so far. */
  get isUnread(): boolean {
    return this.item.type === 'reasoning' && this.#block?.text === ''
  }

  /** Consecutive texts and refusals form one message; each other block is its own item. */
  takes(block: BlockHead): boolean {
    return this.item.type === 'message' && (block.kind === 'text' || block.kind === 'refusal')
  }

  startBlock(block: BlockHead): void {
    this.#block = this.#blockFor(block)
    if (block.kind !== 'reasoning') this.#block?.begin()
  }

  delta(text: string): void {
    this.#block?.delta(text)
  }

  seal(seal: Seal): void {
    if (this.item.type === 'reasoning') this.item.encrypted_content = writeSeal(seal)
  }

  /** Clients parse the arguments of every call: empty arguments become an empty object. */
  endBlock(): void {
    if (this.item.type === 'function_call' && this.#block?.text === '') this.#block.delta('{}')
    this.#block?.end()
    this.#block = undefined
    if (this.item.type === 'reasoning') this.item.encrypted_content ??= UNSEALED
  }

  close(status: 'completed' | 'incomplete'): void {
    this.#setStatus(status)
    this.#frames?.event('response.output_item.done', { output_index: this.#index, item: this.item })
  }

  /** The reply failed: the text so far stays in the object, and no event marks its end. */
  abandon(): void {
    this.#block?.abandon()
    this.#setStatus('incomplete')
  }

  #setStatus(status: ItemStatus): void {
    if ('status' in this.item) this.item.status = status
  }

  #blockFor(block: BlockHead): BlockWriter | undefined {
    const { item } = this
    const frames = this.#frames
    const at = `"item_id":${JSON.stringify(item.id)},"output_index":${this.#index}`
    switch (item.type) {
      case 'message': {
        const part = emptyPart(block.kind === 'refusal' ? 'refusal' : 'text')
        item.content.push(part)
        return new BlockWriter(part.type === 'refusal' ? REFUSAL : TEXT, {
          at: `${at},"content_index":${item.content.length - 1}`,
          frames,
          hold(text) {
            if (part.type === 'refusal') part.refusal = text
            else part.text = text
            return part
          },
        })
      }
      case 'reasoning':
        return new BlockWriter(SUMMARY, {
          at: `${at},"summary_index":0`,
          frames,
          hold(text) {
            const part: SummaryPart = { type: 'summary_text', text }
            item.summary = [part]
            return part
          },
        })
      case 'function_call':
        return new BlockWriter(ARGUMENTS, {
          at,
          atEnd: `,"name":${JSON.stringify(item.name)}`,
          frames,
          hold: (text) => Object.assign(item, { arguments: text }),
        })
      case 'custom_tool_call':
        return new BlockWriter(INPUT, { at, frames, hold: (text) => Object.assign(item, { input: text }) })
      default:
        return undefined
    }
  }
}

/** An opaque item stays unchanged, except for the id that every item needs. */
function opaqueItem(raw: object, newId: (prefix: ReplyIdPrefix) => string): { id: string; type: undefined } {
  const id = 'id' in raw ? textOf(raw.id) : ''
  return { type: undefined, ...raw, id: id || newId('call') }
}

/** The empty item at the beginning of a block. An opaque block is an item already. */
function emptyItem(
  block: Exclude<BlockHead, { kind: 'opaque' }>,
  newId: (prefix: ReplyIdPrefix) => string,
): OutputItem {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      return { id: newId('msg'), type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    case 'reasoning':
      return { id: newId('rs'), type: 'reasoning', summary: [] }
    case 'tool-call':
      return block.input === 'text'
        ? { id: newId('ctc'), type: 'custom_tool_call', ...called(block), input: '' }
        : { id: newId('fc'), type: 'function_call', ...called(block), arguments: '' }
  }
}

function called({ callId, name, namespace }: ToolCallHead): Omit<FunctionCall, 'id' | 'type' | 'arguments'> {
  return {
    status: 'in_progress',
    call_id: callId,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }
}

function emptyPart(kind: 'text' | 'refusal'): OutputPart {
  return kind === 'text'
    ? { type: 'output_text', annotations: [], logprobs: [], text: '' }
    : { type: 'refusal', refusal: '' }
}
