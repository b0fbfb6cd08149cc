import type { Emit, ReplyOrigin } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { EndReason, Seal } from '../canonical/reply-event.ts'
import { createTextInput, type TextInput } from '../canonical/text-input.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { parseOrNone } from '../json/parse-or-none.ts'
import { isNil, type Unchecked } from '../values/values.ts'
import { redactedProof } from './shown-reasoning.ts'
import type { ToolUseBlock } from './wire.ts'

/**
 * Turns content blocks into events, one at a time: `open`, `delta`*, `close`. A block that is whole in `open`, as in a
 * reply that is not streamed, needs no deltas.
 *
 *   none -open-> text | reasoning | call | buffered -close-> none
 *
 * A method returns false when the vendor's blocks are invalid.
 */
export class BlockReader {
  /** Names of content that our events cannot carry. */
  readonly losses = new Set<LossName>()
  #open: OpenReadBlock = { kind: 'none' }
  readonly #origin: ReplyOrigin
  readonly #emit: Emit

  constructor(origin: ReplyOrigin, emit: Emit) {
    this.#origin = origin
    this.#emit = emit
  }

  get isOpen(): boolean {
    return this.#open.kind !== 'none'
  }

  open(block: unknown, index: unknown): boolean {
    if (this.isOpen || !isJsonObject(block)) return false
    switch (block.type) {
      case 'text':
        this.#emit({ kind: 'block-start', block: { kind: 'text' } })
        this.#open = { kind: 'text', index }
        this.#emitText(block.text)
        if (Array.isArray(block.citations) && block.citations.length > 0) this.losses.add('citations')
        return true
      case 'thinking':
        this.#emit({ kind: 'block-start', block: { kind: 'reasoning' } })
        this.#open = { kind: 'reasoning', index, proof: stringOrEmpty(block.signature) }
        this.#emitText(block.thinking)
        return true
      case 'redacted_thinking':
        this.#emit({ kind: 'block-start', block: { kind: 'reasoning' } })
        this.#open = { kind: 'reasoning', index, proof: redactedProof(stringOrEmpty(block.data)) }
        return true
      case 'tool_use':
        return this.#openCall(block, index)
      default:
        this.#open = { kind: 'buffered', index, raw: block, json: '' }
        return true
    }
  }

  delta(delta: unknown, index: unknown): boolean {
    const open = this.#open
    if (open.kind === 'none' || open.index !== index || !isJsonObject(delta)) return false
    switch (delta.type) {
      case 'text_delta':
        return open.kind === 'text' && this.#emitText(delta.text)
      case 'thinking_delta':
        return open.kind === 'reasoning' && this.#emitText(delta.thinking)
      case 'signature_delta':
        if (open.kind !== 'reasoning' || typeof delta.signature !== 'string') return false
        open.proof = delta.signature
        return true
      case 'input_json_delta':
        return this.#takeJson(open, delta.partial_json)
      case 'citations_delta':
        this.losses.add('citations')
        return true
      // Unknown deltas are ignored: no other dialect can carry them.
      default:
        return true
    }
  }

  close(index: unknown): boolean {
    const open = this.#open
    if (open.kind === 'none' || open.index !== index) return false
    if (open.kind === 'call' && !this.#closeCall(open)) return false
    if (open.kind === 'buffered') this.#emitBuffered(open)
    if (open.kind === 'reasoning' && open.proof !== '') {
      const seal: Seal = { provider: this.#origin.provider, proof: open.proof }
      this.#emit({ kind: 'block-seal', seal })
    }
    this.#emit({ kind: 'block-end' })
    this.#open = { kind: 'none' }
    return true
  }

  #openCall({ id, name, input }: Unchecked<ToolUseBlock>, index: unknown): boolean {
    if (typeof id !== 'string' || typeof name !== 'string') return false
    const own = this.#origin.toolNames.get(name) ?? { name, namespace: undefined, input: 'json' }
    this.#emit({ kind: 'block-start', block: { kind: 'tool-call', callId: id, ...own } })
    this.#open = {
      kind: 'call',
      index,
      textInput: own.input === 'text' ? createTextInput() : undefined,
      whole: input,
      hasDeltas: false,
    }
    return true
  }

  #takeJson(open: OpenReadBlock, json: unknown): boolean {
    if (typeof json !== 'string') return false
    if (open.kind === 'buffered') open.json += json
    if (open.kind !== 'call') return open.kind === 'buffered'
    if (json === '') return true
    open.hasDeltas = true
    return this.#emitText(open.textInput === undefined ? json : open.textInput.push(json))
  }

  #closeCall({ textInput, whole, hasDeltas }: OpenReadCall): boolean {
    const spelled = hasDeltas ? '' : spellWhole(whole)
    if (spelled === undefined) return false
    return this.#emitText(textInput === undefined ? spelled : textInput.push(spelled) + textInput.end())
  }

  #emitBuffered({ raw, json }: BufferedBlock): void {
    const input = json === '' ? undefined : parseOrNone(json)
    const block = input === undefined ? raw : { ...raw, input }
    this.#emit({ kind: 'block-start', block: { kind: 'opaque', origin: 'messages', raw: block } })
  }

  #emitText(text: unknown): boolean {
    if (typeof text === 'string' && text !== '') this.#emit({ kind: 'block-delta', text })
    return text === undefined || typeof text === 'string'
  }
}

type OpenReadBlock =
  | { kind: 'none' }
  | { kind: 'text'; index: unknown }
  /** `proof` is empty until one comes. */
  | { kind: 'reasoning'; index: unknown; proof: string }
  | OpenReadCall
  | BufferedBlock

/** `whole` is the input in the block itself: an empty object when deltas follow. */
interface OpenReadCall {
  kind: 'call'
  index: unknown
  /** Takes the free text of a custom tool out of its JSON. */
  textInput: TextInput | undefined
  whole: unknown
  hasDeltas: boolean
}

/** A block that only this dialect knows; it is emitted when it is complete. */
interface BufferedBlock {
  kind: 'buffered'
  index: unknown
  raw: JsonObject
  json: string
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Input as JSON text; '' for an empty object, for which no delta is emitted. undefined: the input is invalid. */
function spellWhole(input: unknown): string | undefined {
  if (isNil(input) || input === '') return ''
  if (!isJsonObject(input)) return undefined
  for (const _key in input) return JSON.stringify(input)
  return ''
}

/** Reads why a reply ended. undefined: the vendor gave no reason, so the reply did not end. */
export function readEndReason(reason: unknown, sequence: unknown): EndReason | undefined {
  if (typeof reason !== 'string') return undefined
  switch (reason) {
    case 'stop_sequence':
      return { kind: 'stop-sequence', sequence: typeof sequence === 'string' ? sequence : '' }
    case 'tool_use':
      return { kind: 'tool-calls' }
    case 'max_tokens':
    case 'model_context_window_exceeded':
    // A paused turn is incomplete, like one that was cut.
    case 'pause_turn':
      return { kind: 'length' }
    case 'refusal':
      return { kind: 'content-filter' }
    default:
      return { kind: 'done' }
  }
}
