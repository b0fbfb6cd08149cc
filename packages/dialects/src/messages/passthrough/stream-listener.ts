import type { ReplyTokens, StreamError } from '../../canonical/reply-event.ts'
import { failureOfError } from '../../errors/failure-of-error.ts'
import type { HidingOptions } from '../../errors/vendor-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { beginsValue } from '../../passthrough/begins-value.ts'
import { deltaHeadOf } from '../../passthrough/read-frame.ts'
import type { IdCollector } from '../../passthrough/reply-ids.ts'
import type { FrameInfo, ListenerOptions, NamedEventListener } from '../../passthrough/stream-listener.ts'
import { UsageSoFar } from '../read-usage.ts'
import { ERROR_TYPES, sseEvent } from '../wire.ts'
import { filesIn, idsInMessage } from './reply-ids.ts'

/** Inspects a messages stream: `message_start` names the model, `message_delta` counts, `message_stop` ends it. */
export class MessagesListener implements NamedEventListener {
  hasFinished = false
  reasoning: { proofCharacters: number } | undefined
  hostedCalls = 0
  readonly deltaHead = deltaHeadOf('content_block_delta')
  readonly #usage = new UsageSoFar()
  readonly #hiding: HidingOptions
  readonly #ids: IdCollector | undefined
  #hasStarted = false
  #hasEnded = false
  #valueAt = 0

  constructor(options: ListenerOptions) {
    this.#hiding = options
    this.#ids = options.ids
  }

  /** Before the end, the counts so far: they are charged if the client hangs up. */
  get tokens(): ReplyTokens | undefined {
    return this.#hasEnded ? this.#usage.atEnd : this.#usage.soFar
  }

  get countedOutput(): number | undefined {
    return this.#usage.countedOutput
  }

  get vendorUsage(): unknown {
    return this.#usage.vendorUsage
  }

  use(name: string): 'delta' | 'read' | undefined {
    return USES.get(name)
  }

  isSilent(text: string, end: number): boolean {
    return text.startsWith(EMPTY_TEXT, end - EMPTY_TEXT.length)
  }

  deltaBytes(text: string, start: number, end: number): number {
    // The text begins at the same offset in most events.
    if (!beginsValue(text, start + this.#valueAt)) {
      const frame = text.slice(start, end)
      const delta = frame.indexOf('"delta":{"type":"')
      if (delta === -1) return Math.max(0, end - start - FRAME_BYTES)
      // Signatures and citations are not paid for.
      if (frame.startsWith('signature', delta + 17)) {
        this.#noteProof(Math.max(0, frame.length - delta - SIGNATURE_BYTES))
        return 0
      }
      if (frame.startsWith('citation', delta + 17)) return 0
      this.#valueAt = frame.indexOf('":"', delta + 17) + 3
    }
    return Math.max(0, end - start - this.#valueAt - DELTA_TAIL.length)
  }

  read(name: string, event: JsonObject): FrameInfo | undefined {
    if (name === 'message_start') return this.#readStart(event)
    if (name === 'message_delta') return this.#readDelta(event)
    if (name === 'content_block_start') return this.#readBlock(event)
    if (name === 'error') return { end: { kind: 'failed', failure: failureOfError(event, this.#hiding) } }
    this.#hasEnded = true
    return { end: { kind: 'ended' } }
  }

  keepAlive(): string {
    return sseEvent({ type: 'ping' })
  }

  failureEvents({ kind, message }: StreamError): string {
    return sseEvent({ type: 'error', error: { type: ERROR_TYPES[kind], message } })
  }

  #readStart({ message }: JsonObject): FrameInfo | undefined {
    if (!isJsonObject(message)) return undefined
    // Some vendors send the start again, with its old counts.
    if (!this.#hasStarted) this.#usage.add(message.usage, { isFinal: false })
    this.#hasStarted = true
    this.#usage.addContainer(message.container)
    this.#keepIds(message)
    return { envelope: 'message' }
  }

  #readDelta({ usage, delta }: JsonObject): FrameInfo {
    this.#usage.add(usage, { isFinal: true })
    if (isJsonObject(delta)) {
      this.#usage.addContainer(delta.container)
      this.#keepIds(delta)
      this.hasFinished ||= typeof delta.stop_reason === 'string'
    }
    return {}
  }

  #readBlock({ content_block: block }: JsonObject): FrameInfo {
    this.#usage.addBlock(block)
    if (!isJsonObject(block)) return {}
    if (this.#ids?.files === true) this.#ids.keep(filesIn(block))
    if (typeof block.type === 'string' && HOSTED_BLOCKS.has(block.type)) this.hostedCalls += 1
    if (block.type === 'thinking') this.#noteProof(0)
    if (block.type === 'redacted_thinking') this.#noteProof(String(block.data).length)
    return {}
  }

  #noteProof(characters: number): void {
    this.reasoning = { proofCharacters: (this.reasoning?.proofCharacters ?? 0) + characters }
  }

  #keepIds(message: JsonObject): void {
    const ids = this.#ids
    ids?.keep(idsInMessage(message, ids))
  }
}

const USES = new Map<string, 'delta' | 'read'>([
  ['content_block_delta', 'delta'],
  ['content_block_start', 'read'],
  ['message_start', 'read'],
  ['message_delta', 'read'],
  ['message_stop', 'read'],
  ['error', 'read'],
])

/** Blocks after which the vendor reads the whole input again: calls of hosted tools, and a compaction. */
const HOSTED_BLOCKS: ReadonlySet<string> = new Set(['server_tool_use', 'mcp_tool_use', 'compaction'])

/** Bytes around a signature from its delta on. */
const SIGNATURE_BYTES = '"delta":{"type":"signature_delta","signature":""}}\n\n'.length

/** End of the event that starts an empty block of text. Quoted in a text it would have backslashes. */
const EMPTY_TEXT = '"content_block":{"type":"text","text":""}}\n\n'

const DELTA_TAIL = '"}}\n\n'

/** Bytes around the text of a delta with another spelling. */
const FRAME_BYTES = 115
