import type { ReplyHead } from '../canonical/codec.ts'
import { isSwitchedOff } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import type { BlockHead, EndReason, ReplyEvent, ReplyTokens } from '../canonical/reply-event.ts'
import { UNSEALED, writeSeal } from '../canonical/seal.ts'
import type { ChatWrittenUsage, FinishReason, ReasoningDetail, WrittenDelta } from './wire.ts'

/**
 * Turns events of a reply into deltas of its one message, for the stream and for the whole reply.
 *
 *   none -start-> text | thought | call | dropped -end-> none
 */
export class ChatReplyWriter {
  readonly losses = new Set<LossName>()
  /** Reasoning with its proof, for clients that send it back; written once, when it is complete. */
  readonly details: ReasoningDetail[] = []
  #open: OpenBlock = { kind: 'none' }
  #calls = 0
  readonly #showsReasoning: boolean
  readonly #keepsReasoning: boolean

  constructor({ request: { reasoning } }: Pick<ReplyHead, 'request'>) {
    this.#keepsReasoning = reasoning === undefined || !isSwitchedOff(reasoning)
    this.#showsReasoning = this.#keepsReasoning && reasoning?.summary !== 'none'
  }

  /** The delta of an event within a reply; undefined: the event has none. */
  take(event: ReplyEvent): WrittenDelta | undefined {
    switch (event.kind) {
      case 'block-start':
        return this.#start(event.block)
      case 'block-delta':
        return this.#delta(event.text)
      case 'block-seal':
        if (this.#open.kind === 'thought') this.#open.proof = writeSeal(event.seal)
        return undefined
      case 'block-end':
        return this.#end()
      default:
        return undefined
    }
  }

  /** A reply with calls that was not cut ends with `tool_calls`: clients run tools only then. */
  finishOf({ kind }: EndReason): FinishReason {
    if (kind === 'length') return 'length'
    if (kind === 'content-filter') return 'content_filter'
    return this.#calls > 0 ? 'tool_calls' : 'stop'
  }

  #start(block: BlockHead): WrittenDelta | undefined {
    switch (block.kind) {
      case 'text':
        this.#open = { kind: 'text', member: 'content' }
        return undefined
      case 'refusal':
        this.#open = { kind: 'text', member: 'refusal' }
        return undefined
      case 'reasoning':
        this.#open = this.#keepsReasoning ? { kind: 'thought', text: '', proof: '' } : { kind: 'dropped' }
        return undefined
      case 'tool-call': {
        const index = this.#calls
        this.#calls += 1
        const { callId: id, name, input } = block
        this.#open = { kind: 'call', index, input, isBlank: true }
        return input === 'text'
          ? { tool_calls: [{ index, id, type: 'custom', custom: { name, input: '' } }] }
          : { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }
      }
      case 'opaque':
        this.losses.add('unknown_block')
        this.#open = { kind: 'dropped' }
        return undefined
    }
  }

  #delta(text: string): WrittenDelta | undefined {
    const open = this.#open
    switch (open.kind) {
      case 'text':
        return open.member === 'content' ? { content: text } : { refusal: text }
      case 'thought':
        open.text += text
        return this.#showsReasoning ? { reasoning_content: text } : undefined
      case 'call':
        if (open.isBlank && text.trim() !== '') open.isBlank = false
        return inputDelta(open, text)
      default:
        return undefined
    }
  }

  #end(): WrittenDelta | undefined {
    const open = this.#open
    this.#open = { kind: 'none' }
    if (open.kind === 'thought' && open.proof !== '' && open.proof !== UNSEALED)
      this.details.push(
        open.text === ''
          ? { type: 'reasoning.encrypted', data: open.proof, index: this.details.length }
          : { type: 'reasoning.text', text: open.text, signature: open.proof, index: this.details.length },
      )
    // Clients parse the arguments as JSON without a check, and an empty string is not JSON.
    return open.kind === 'call' && open.input === 'json' && open.isBlank ? inputDelta(open, '{}') : undefined
  }
}

type OpenBlock =
  | { kind: 'none' }
  | { kind: 'text'; member: 'content' | 'refusal' }
  | { kind: 'thought'; text: string; proof: string }
  | OpenCall
  | { kind: 'dropped' }

interface OpenCall {
  kind: 'call'
  index: number
  input: 'json' | 'text'
  /** Whether only blanks came so far. */
  isBlank: boolean
}

function inputDelta({ index, input }: OpenCall, text: string): WrittenDelta {
  return input === 'text'
    ? { tool_calls: [{ index, custom: { input: text } }] }
    : { tool_calls: [{ index, function: { arguments: text } }] }
}

/** Writes the usage: this dialect counts cached input within its input. */
export function writeUsage(tokens: ReplyTokens | undefined): ChatWrittenUsage {
  const { input = 0, cachedInput = 0, cacheWrite = 0, output = 0, reasoning = 0 } = tokens ?? {}
  const prompt = input + cachedInput + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cachedInput,
      ...(cacheWrite === 0 ? {} : { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

/** Ids of this dialect have a dash behind their prefix. */
export function replyId(id: string): string {
  return id.replace('_', '-')
}
