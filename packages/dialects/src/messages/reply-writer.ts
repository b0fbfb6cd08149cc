import type { LossName } from '../canonical/losses.ts'
import type { BlockHead, EndReason, ReplyTokens, Seal, ToolCallHead } from '../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import type { TextTokens } from '../canonical/usage.ts'
import type { ShownReasoning } from './shown-reasoning.ts'
import {
  type Block,
  type BlockDelta,
  type DeltaUsage,
  type MessageEnding,
  type MessagesUsage,
  sseEvent,
  type ThinkingBlock,
} from './wire.ts'

/**
 * Writes content blocks one after another, numbered from 0 without gaps.
 *
 *   none -start-> undecided | plain | silent | text-call | complete | dropped -end-> none
 *
 * Reasoning stays `undecided` until its kind is clear: with text it is thinking, with a seal alone it is redacted thinking,
 * with neither it is not written. For a client that does not want to read it, it is `silent` or `dropped`.
 */
export class ContentBlockWriter {
  #open: OpenWrittenBlock = { kind: 'none' }
  #index = 0
  readonly #losses: Set<LossName>
  readonly #reasoning: ShownReasoning

  constructor(losses: Set<LossName>, reasoning: ShownReasoning) {
    this.#losses = losses
    this.#reasoning = reasoning
  }

  start(block: BlockHead): string {
    switch (block.kind) {
      case 'text':
      case 'refusal':
        return this.#show({ type: 'text', text: '' }, { type: 'text_delta', key: 'text' })
      case 'reasoning':
        this.#open = { kind: this.#reasoning === 'nothing' ? 'dropped' : 'undecided' }
        return ''
      case 'tool-call':
        return this.#startCall(block)
      case 'opaque':
        return this.#startOpaque(block)
    }
  }

  delta(text: string): string {
    const open = this.#open
    switch (open.kind) {
      case 'plain':
        return open.deltaStart + JSON.stringify(text) + DELTA_END
      case 'text-call': {
        const opening = open.hasBegun ? '' : TEXT_INPUT_START
        open.hasBegun = true
        return open.deltaStart + JSON.stringify(opening + escapeInside(text)) + DELTA_END
      }
      case 'undecided':
        return this.#reasoning === 'seal' ? this.#hideThinking() : this.#showThinking() + this.delta(text)
      default:
        return ''
    }
  }

  seal(seal: Seal): string {
    if (this.#open.kind === 'undecided')
      return this.#show({ type: 'redacted_thinking', data: writeSeal(seal) })
    const open = this.#open
    if ((open.kind !== 'plain' && open.kind !== 'silent') || !open.isUnsealed) return ''
    open.isUnsealed = false
    return this.#sign(writeSeal(seal))
  }

  end(): string {
    const open = this.#open
    this.#open = { kind: 'none' }
    if (open.kind === 'none' || open.kind === 'undecided' || open.kind === 'dropped') return ''
    const unsealed =
      (open.kind === 'plain' || open.kind === 'silent') && open.isUnsealed ? this.#sign(UNSEALED) : ''
    const index = this.#index
    this.#index += 1
    const stop = `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`
    if (open.kind !== 'text-call') return unsealed + stop
    const rest = open.hasBegun ? TEXT_INPUT_END : TEXT_INPUT_START + TEXT_INPUT_END
    return open.deltaStart + JSON.stringify(rest) + DELTA_END + stop
  }

  /** `delta` is missing where the start of a block has all its content. */
  #show(block: Block | object, delta?: DeltaSpelling, isUnsealed = false): string {
    this.#open = delta
      ? { kind: 'plain', deltaStart: this.#deltaStart(delta), isUnsealed }
      : { kind: 'complete' }
    return this.#startEvent(block)
  }

  #sign(signature: string): string {
    const delta: BlockDelta = { type: 'signature_delta', signature }
    return sseEvent({ type: 'content_block_delta', index: this.#index, delta })
  }

  #showThinking(): string {
    return this.#show(THINKING, { type: 'thinking_delta', key: 'thinking' }, true)
  }

  #hideThinking(): string {
    this.#open = { kind: 'silent', isUnsealed: true }
    return this.#startEvent(THINKING)
  }

  #startCall({ callId, name, input }: ToolCallHead): string {
    const deltaStart = this.#deltaStart({ type: 'input_json_delta', key: 'partial_json' })
    this.#open =
      input === 'text'
        ? { kind: 'text-call', deltaStart, hasBegun: false }
        : { kind: 'plain', deltaStart, isUnsealed: false }
    return this.#startEvent({ type: 'tool_use', id: callId, name, input: {}, caller: CALLED_DIRECTLY })
  }

  #startOpaque({ origin, raw }: Extract<BlockHead, { kind: 'opaque' }>): string {
    if (origin === 'messages') return this.#show(raw)
    this.#losses.add('unknown_block')
    this.#open = { kind: 'dropped' }
    return ''
  }

  #startEvent(block: Block | object): string {
    return sseEvent({ type: 'content_block_start', index: this.#index, content_block: block })
  }

  /** The JSON before the text of a delta is the same within a block, so it is built once. */
  #deltaStart({ type, key }: DeltaSpelling): string {
    const start = `{"type":"content_block_delta","index":${this.#index},"delta":{"type":"${type}","${key}":`
    return `event: content_block_delta\ndata: ${start}`
  }
}

type OpenWrittenBlock =
  | { kind: 'none' }
  | { kind: 'undecided' }
  /** `isUnsealed`: thinking whose signature is still to come. */
  | { kind: 'plain'; deltaStart: string; isUnsealed: boolean }
  /** Thinking that the client does not get. */
  | { kind: 'silent'; isUnsealed: boolean }
  /** Free text for a custom tool, written as `{"input":"..."}` while it arrives. */
  | { kind: 'text-call'; deltaStart: string; hasBegun: boolean }
  /** The start of the block had all its content. */
  | { kind: 'complete' }
  | { kind: 'dropped' }

/** The type of a delta and its member with the text. */
interface DeltaSpelling {
  type: BlockDelta['type']
  key: string
}

const THINKING: ThinkingBlock = { type: 'thinking', thinking: '', signature: '' }
const DELTA_END = '}}\n\n'
const TEXT_INPUT_START = '{"input":"'
const TEXT_INPUT_END = '"}'

/** Escapes a text for a place between the quotes of a JSON string. */
function escapeInside(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Kinds of blocks in a reply that decide its stop reason. */
export class BlocksSeen {
  hasCall = false
  hasRefusal = false

  add(block: BlockHead): void {
    if (block.kind === 'tool-call') this.hasCall = true
    if (block.kind === 'refusal') this.hasRefusal = true
  }
}

/** Caller of a call that the model made itself, and not a program of the model. */
export const CALLED_DIRECTLY = { type: 'direct' }

export const NOT_ENDED: MessageEnding = {
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
}

export function writeEnding(reason: EndReason, seen: BlocksSeen): MessageEnding {
  return {
    ...NOT_ENDED,
    stop_reason: writeStopReason(reason, seen),
    stop_sequence: reason.kind === 'stop-sequence' ? reason.sequence : null,
  }
}

/** A client runs tools only after `tool_use`, so a reply gets this reason only if it has a call and was not cut. */
function writeStopReason(
  reason: EndReason,
  { hasCall, hasRefusal }: BlocksSeen,
): MessageEnding['stop_reason'] {
  switch (reason.kind) {
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'refusal'
    case 'stop-sequence':
      return 'stop_sequence'
    default:
      if (hasCall) return 'tool_use'
      return hasRefusal ? 'refusal' : 'end_turn'
  }
}

/** Writes all four counts: clients add them up without a check. The count of thinking is written when it is known. */
export function writeDeltaUsage(tokens: TextTokens | ReplyTokens | undefined): DeltaUsage {
  const thinking = tokens !== undefined && 'reasoning' in tokens ? tokens.reasoning : 0
  return {
    input_tokens: tokens?.input ?? 0,
    cache_creation_input_tokens: tokens?.cacheWrite ?? 0,
    cache_read_input_tokens: tokens?.cachedInput ?? 0,
    output_tokens: tokens?.output ?? 0,
    output_tokens_details: thinking === 0 ? null : { thinking_tokens: thinking },
    server_tool_use: null,
  }
}

export function writeUsage(tokens: TextTokens | ReplyTokens | undefined): MessagesUsage {
  return {
    ...writeDeltaUsage(tokens),
    cache_creation: null,
    inference_geo: null,
    service_tier: null,
    speed: null,
  }
}
