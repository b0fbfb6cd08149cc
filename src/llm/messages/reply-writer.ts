import type { TextTokens } from '../../domain/billing/text-prices.ts'
import type { LossName } from '../canonical/losses.ts'
import type { BlockHead, EndReason, ReplyTokens, Seal, ToolCallHead } from '../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import type { ShownReasoning } from './shown-reasoning.ts'
import {
  type Block,
  type BlockDelta,
  type DeltaUsage,
  type Ending,
  sseEvent,
  type ThinkingBlock,
  type Usage,
} from './wire.ts'

/**
 * Writes content blocks one after another, numbered from 0 without gaps.
 *
 *   none -start-> unshown | plain | silent | text-call | complete | dropped -end-> none
 *
 * Reasoning stays `unshown` until it shows what it is: with text it is thinking, with a seal alone it is redacted
 * thinking, with neither it never was. For a client that does not want to read it, it is `silent` or `dropped`.
 */
export class BlockWriter {
  #open: Open = { kind: 'none' }
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
        this.#open = { kind: this.#reasoning === 'nothing' ? 'dropped' : 'unshown' }
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
      case 'unshown':
        return this.#reasoning === 'seal' ? this.#hideThinking() : this.#showThinking() + this.delta(text)
      default:
        return ''
    }
  }

  seal(seal: Seal): string {
    if (this.#open.kind === 'unshown') return this.#show({ type: 'redacted_thinking', data: writeSeal(seal) })
    const open = this.#open
    if ((open.kind !== 'plain' && open.kind !== 'silent') || !open.isUnsealed) return ''
    open.isUnsealed = false
    return this.#sign(writeSeal(seal))
  }

  end(): string {
    const open = this.#open
    this.#open = { kind: 'none' }
    if (open.kind === 'none' || open.kind === 'unshown' || open.kind === 'dropped') return ''
    const unsealed =
      (open.kind === 'plain' || open.kind === 'silent') && open.isUnsealed ? this.#sign(UNSEALED) : ''
    const index = this.#index
    this.#index += 1
    const stop = `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`
    if (open.kind !== 'text-call') return unsealed + stop
    const rest = open.hasBegun ? TEXT_INPUT_END : TEXT_INPUT_START + TEXT_INPUT_END
    return open.deltaStart + JSON.stringify(rest) + DELTA_END + stop
  }

  /** `delta` is missing where a block says all it has in its start. */
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

  /** Everything before the text of a delta is the same within a block, and deltas are what a stream is made of. */
  #deltaStart({ type, key }: DeltaSpelling): string {
    const start = `{"type":"content_block_delta","index":${this.#index},"delta":{"type":"${type}","${key}":`
    return `event: content_block_delta\ndata: ${start}`
  }
}

type Open =
  | { kind: 'none' }
  | { kind: 'unshown' }
  /** `isUnsealed`: thinking whose signature is still to come. */
  | { kind: 'plain'; deltaStart: string; isUnsealed: boolean }
  /** Thinking that is not told. */
  | { kind: 'silent'; isUnsealed: boolean }
  /** Free text for a custom tool, spelled as `{"input":"..."}` while it comes. */
  | { kind: 'text-call'; deltaStart: string; hasBegun: boolean }
  /** All of it stood in its start. */
  | { kind: 'complete' }
  | { kind: 'dropped' }

/** The member of a delta that brings the text. */
interface DeltaSpelling {
  type: BlockDelta['type']
  key: string
}

const THINKING: ThinkingBlock = { type: 'thinking', thinking: '', signature: '' }
const DELTA_END = '}}\n\n'
const TEXT_INPUT_START = '{"input":"'
const TEXT_INPUT_END = '"}'

/** As it stands between the quotes of a JSON string. */
function escapeInside(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** What of a reply's blocks decides how it is said to have ended. */
export class BlocksSeen {
  hasCall = false
  hasRefusal = false

  add(block: BlockHead): void {
    if (block.kind === 'tool-call') this.hasCall = true
    if (block.kind === 'refusal') this.hasRefusal = true
  }
}

/** The model called the tool itself, not a program of it. */
export const CALLED_DIRECTLY = { type: 'direct' }

export const NOT_ENDED: Ending = {
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
}

export function writeEnding(reason: EndReason, seen: BlocksSeen): Ending {
  return {
    ...NOT_ENDED,
    stop_reason: writeStopReason(reason, seen),
    stop_sequence: reason.kind === 'stop-sequence' ? reason.sequence : null,
  }
}

/**
 * A client runs tools when the reason says so and at no other time, so a call that was not cut short always ends as
 * `tool_use`, and a reply without one never does, whatever the vendor called it.
 */
function writeStopReason(reason: EndReason, { hasCall, hasRefusal }: BlocksSeen): Ending['stop_reason'] {
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

/** All four counts always: clients add them up without looking. How much was thinking is said when it is known. */
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

export function writeUsage(tokens: TextTokens | ReplyTokens | undefined): Usage {
  return {
    ...writeDeltaUsage(tokens),
    cache_creation: null,
    inference_geo: null,
    service_tier: null,
    speed: null,
  }
}
