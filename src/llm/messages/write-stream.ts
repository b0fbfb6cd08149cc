import type { TextTokens } from '../../domain/billing/text-prices.ts'
import type { ReplyHead, StreamWriter, WriteStream } from '../canonical/codec.ts'
import type { LossName } from '../canonical/losses.ts'
import type { EndReason, ReplyEvent, ReplyFailure, ReplyTokens } from '../canonical/reply-event.ts'
import { BlocksSeen, BlockWriter, writeEnding, writeUsage } from './block-writer.ts'
import { shownReasoning } from './shown-reasoning.ts'
import { ERROR_TYPES, sseEvent } from './wire.ts'

/** A client's stream of this dialect: `message_start`, its blocks, `message_delta`, `message_stop`; or an error. */
export const writeMessagesStream: WriteStream = (head) => new MessagesStreamWriter(head)

class MessagesStreamWriter implements StreamWriter {
  readonly losses = new Set<LossName>()
  #isOver = false
  #tokens: TextTokens | undefined
  readonly #seen = new BlocksSeen()
  readonly #blocks: BlockWriter
  readonly #head: ReplyHead

  constructor(head: ReplyHead) {
    this.#head = head
    this.#blocks = new BlockWriter(this.losses, shownReasoning(head.request))
  }

  write(event: ReplyEvent): string {
    if (this.#isOver) return ''
    switch (event.kind) {
      case 'block-delta':
        return this.#blocks.delta(event.text)
      case 'block-start':
        this.#seen.add(event.block)
        return this.#blocks.start(event.block)
      case 'block-seal':
        return this.#blocks.seal(event.seal)
      case 'block-end':
        return this.#blocks.end()
      case 'reply-start':
        return this.#start(event.tokens)
      case 'reply-end':
        for (const loss of event.losses ?? []) this.losses.add(loss)
        return this.#end(event.reason, event.tokens)
      case 'reply-failed':
        return this.#fail(event.failure)
    }
  }

  keepAlive(): string {
    return this.#isOver ? '' : PING
  }

  #start(tokens: TextTokens | undefined): string {
    this.#tokens = tokens
    const { id, model, countInput } = this.#head
    const isCounted = tokens !== undefined && tokens.input + tokens.cachedInput + tokens.cacheWrite > 0
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      content: [],
      model,
      stop_reason: null,
      stop_sequence: null,
      // Frameworks take the input from here, and no request is empty.
      usage: writeUsage(isCounted ? tokens : { ...NOTHING, ...tokens, input: countInput?.() ?? 0 }),
    }
    return sseEvent('message_start', { type: 'message_start', message })
  }

  /** Without a count of the end, that of the start still stands. */
  #end(reason: EndReason, tokens: ReplyTokens | undefined): string {
    this.#isOver = true
    const delta = writeEnding(reason, this.#seen)
    const usage = writeUsage(tokens ?? this.#tokens)
    return sseEvent('message_delta', { type: 'message_delta', delta, usage }) + STOP
  }

  #fail({ kind, message }: ReplyFailure): string {
    this.#isOver = true
    return sseEvent('error', { type: 'error', error: { type: ERROR_TYPES[kind], message } })
  }
}

const NOTHING: TextTokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 }
const PING = sseEvent('ping', { type: 'ping' })
const STOP = sseEvent('message_stop', { type: 'message_stop' })
