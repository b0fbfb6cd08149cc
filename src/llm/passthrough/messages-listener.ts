import { isJsonObject, type JsonObject } from '../hub/json-object.ts'
import type { EndReason, ReplyTokens } from '../hub/reply-event.ts'
import type { ReplyFailure } from '../hub/reply-failure.ts'
import { failureOfError } from './failure-of-error.ts'
import { beginsValue } from './begins-value.ts'
import { readMessagesTokens, readStopReason } from './messages-reply.ts'
import type { Heard, StreamListener } from './stream-listener.ts'

/** Listens to a messages stream: `message_start` names the model, `message_delta` counts, `message_stop` ends it. */
export class MessagesListener implements StreamListener {
  readonly failing: ReplyFailure | undefined
  readonly deltaHead = 'event: content_block_delta\n'
  #usage: ReplyTokens | undefined
  #reason: EndReason = { kind: 'done' }
  #valueAt = 0

  get tokens(): ReplyTokens | undefined {
    return this.#usage
  }

  use(name: string): 'delta' | 'read' | undefined {
    return USES.get(name)
  }

  deltaBytes(text: string, start: number, end: number): number {
    // In most streams the words stand where they stood in the event before.
    if (!beginsValue(text, start + this.#valueAt)) {
      const frame = text.slice(start, end)
      const delta = frame.indexOf('"delta":{"type":"')
      if (delta === -1) return Math.max(0, end - start - FRAME_BYTES)
      // Signatures and citations are not what is paid for.
      if (frame.startsWith('signature', delta + 17) || frame.startsWith('citation', delta + 17)) return 0
      this.#valueAt = frame.indexOf('":"', delta + 17) + 3
    }
    return Math.max(0, end - start - this.#valueAt - DELTA_TAIL.length)
  }

  hear(name: string, event: JsonObject): Heard | undefined {
    if (name === 'message_start') return this.#hearStart(event)
    if (name === 'message_delta') return this.#hearDelta(event)
    if (name === 'message_stop') return { end: { kind: 'ended', reason: this.#reason } }
    return { end: { kind: 'failed', failure: failureOfError(event) } }
  }

  notice(): void {}

  keepAlive(): string {
    return 'event: ping\ndata: {"type":"ping"}\n\n'
  }

  lastWords({ kind, message }: ReplyFailure): string {
    const error = { type: ERROR_TYPES[kind], message }
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
  }

  #hearStart({ message }: JsonObject): Heard | undefined {
    if (!isJsonObject(message)) return undefined
    this.#usage = readMessagesTokens(message.usage)
    return { envelope: 'message' }
  }

  #hearDelta({ usage, delta }: JsonObject): Heard {
    this.#usage = readMessagesTokens(usage, this.#usage)
    if (isJsonObject(delta) && typeof delta.stop_reason === 'string') this.#reason = readStopReason(delta)
    return {}
  }
}

const USES = new Map<string, 'delta' | 'read'>([
  ['content_block_delta', 'delta'],
  ['message_start', 'read'],
  ['message_delta', 'read'],
  ['message_stop', 'read'],
  ['error', 'read'],
])

const DELTA_TAIL = '"}}\n\n'

/** What is around the text of a delta, for one that is spelled in another way. */
const FRAME_BYTES = 115

const ERROR_TYPES: Record<ReplyFailure['kind'], string> = {
  broken: 'api_error',
  vendor: 'api_error',
  busy: 'overloaded_error',
  refused: 'invalid_request_error',
  'too-late': 'api_error',
  draining: 'overloaded_error',
}
