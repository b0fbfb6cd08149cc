import { lostFrame, lostTextBytes, type ShrunkFrame } from '@sluice/dialects/body/frame-jobs'
import type { Emit, StreamReader, StreamWriter } from '@sluice/dialects/canonical/codec'
import { createGuard } from '@sluice/dialects/canonical/guard'
import type { LossName } from '@sluice/dialects/canonical/losses'
import type { BlockHead, ReplyEvent, ReplyTokens, StreamError } from '@sluice/dialects/canonical/reply-event'
import {
  EVENT_TOO_LARGE,
  EVENT_UNREADABLE,
  REPLY_TOO_LARGE,
} from '@sluice/dialects/canonical/stream-failures'
import { countedOutput, countedSoFar, countedTokens } from '@sluice/dialects/count/counted-tokens'
import { OutputCount } from '@sluice/dialects/count/output-count'
import { createFrameSplitter, type FrameSplitter } from '@sluice/dialects/sse/split-frames'
import { stopAtSequence } from '@sluice/dialects/stops/stop-at-sequence'
import { FRAME_BYTES_MAX, isLightText, type Relay } from '../contract/relay.ts'
import { hidesCost } from '../route/hides-cost.ts'

type ReplyEndEvent = Extract<ReplyEvent, { kind: 'reply-end' }>

interface RelayEventsParts {
  readStream(emit: Emit): StreamReader
  writer: StreamWriter
  /** Sequences that end the text when the vendor does not handle them. */
  stopSequences: readonly string[]
  countInput(): number
  /** Tells if the model reasons, for a dialect that does not show reasoning. */
  thinks?: 'yes' | 'no' | 'unknown'
  /** Whether only the vendor knows the number of input tokens. */
  hidesInput(): boolean
  /** Called with the output items of a reply that ended well, before its last bytes are sent. */
  onItems: ((items: readonly object[]) => void) | undefined
  /** Makes a large event smaller, on another thread. undefined: it is not JSON. */
  shrinkFrame(data: Buffer): Promise<ShrunkFrame | undefined>
}

/** Relays a stream between dialects: vendor frames to canonical events, checked by the guard, to client frames. */
export function relayEvents(parts: RelayEventsParts): Relay {
  return new EventRelay(parts)
}

class EventRelay implements Relay {
  state: Relay['state'] = 'waiting'
  failure: StreamError | undefined
  outputBytes = 0
  endedEarly = false
  reading: Promise<void> | undefined
  /** Waiting frames, the first of which is being read. */
  #waiting: { name: string | undefined; data: string }[] = []
  #shrunk: ShrunkFrame | undefined
  #isClosed = false
  readonly #parts: RelayEventsParts
  readonly #writer: StreamWriter
  readonly #reader: StreamReader
  readonly #splitter: FrameSplitter
  /** The gateway's own end event, held until the vendor reports its usage. */
  #heldEnd: ReplyEndEvent | undefined
  #written = ''
  /** Tokens that the start reported; after the end, the tokens that are charged. */
  #tokens: ReplyTokens | undefined
  readonly #counted = new OutputCount()
  #reasoning: { proofCharacters: number } | undefined
  /** Whether the reply is too large. The client then gets an error in place of its end. */
  #isTooLarge = false

  constructor(parts: RelayEventsParts) {
    const { readStream, writer, stopSequences } = parts
    this.#parts = parts
    this.#writer = writer
    const take: Emit = (event) => this.#take(event)
    const onStop = () => {
      this.endedEarly = true
    }
    const watched =
      stopSequences.length === 0 ? take : stopAtSequence({ sequences: stopSequences, emit: take, onStop })
    const inspect: Emit = (event) =>
      this.#heldEnd === undefined ? watched(event) : this.#takeAfterEnd(event)
    this.#reader = readStream(createGuard(stopSequences.length === 0 ? take : inspect))
    this.#splitter = createFrameSplitter((name, data) => this.#takeFrame(name, data), {
      maxFrameBytes: FRAME_BYTES_MAX,
    })
  }

  get tokens(): ReplyTokens | undefined {
    return this.state === 'ended' ? this.#tokens : (this.#reader.tokens ?? this.#tokens)
  }

  get vendorUsage(): unknown {
    return this.#reader.vendorUsage
  }

  get isAllCounted(): boolean {
    return this.#counted.isOfAll(this.outputBytes)
  }

  get isCounted(): boolean {
    return this.#reader.hasFinished === true && this.isAllCounted
  }

  get reasoning(): { proofCharacters: number } | undefined {
    if (this.#reasoning !== undefined) return this.#reasoning
    const isUncounted = this.#parts.thinks === 'yes' && !this.isAllCounted
    return this.#reader.hasReasoning === true || isUncounted ? { proofCharacters: 0 } : undefined
  }

  get mayReason(): boolean {
    return this.#parts.thinks === 'unknown' && !this.isAllCounted
  }

  get awaitsCount(): boolean {
    return this.#heldEnd !== undefined || (this.#isTooLarge && this.state !== 'failed')
  }

  get losses(): Iterable<LossName> {
    return this.#writer.losses
  }

  push(chunk: Buffer): string {
    if (this.#splitter.push(chunk)) return this.#flush()
    this.#loseText(lostFrame(FRAME_BYTES_MAX))
    return this.fail(EVENT_TOO_LARGE)
  }

  close(): string {
    this.#splitter.end()
    if (this.reading === undefined) this.#reader.close()
    else this.#isClosed = true
    return this.#flush()
  }

  readOn(): string {
    const [{ name = undefined } = {}, ...later] = this.#waiting
    const shrunk = this.#shrunk
    this.#waiting = []
    this.#shrunk = undefined
    this.reading = undefined
    if (shrunk === undefined) {
      this.endedEarly = true
      return this.fail(EVENT_UNREADABLE)
    }
    if (!this.awaitsCount) this.#loseText(shrunk)
    if (shrunk.data !== '') this.#readFrame(name, shrunk.data)
    for (const frame of later) this.#takeFrame(frame.name, frame.data)
    if (this.#isClosed && this.reading === undefined) this.#reader.close()
    return this.#flush()
  }

  fail(failure: StreamError): string {
    this.#take({ kind: 'reply-failed', failure })
    return this.#flush()
  }

  endWait(): string {
    if (this.#isTooLarge) return this.fail(EVENT_TOO_LARGE)
    this.#endHeld(undefined)
    return this.#flush()
  }

  keepAlive(): string {
    return this.#writer.keepAlive()
  }

  #takeFrame(name: string | undefined, data: string): void {
    if (this.reading !== undefined) this.#waiting.push({ name, data })
    else if (!isLightText(data)) this.#readLarge(name, data)
    else this.#readFrame(name, data)
  }

  #readLarge(name: string | undefined, data: string): void {
    this.#waiting = [{ name, data: '' }]
    this.reading = this.#parts.shrinkFrame(Buffer.from(data)).then(
      (shrunk) => {
        this.#shrunk = shrunk
      },
      () => {
        this.#shrunk = lostFrame(data.length)
      },
    )
  }

  #readFrame(name: string | undefined, data: string): void {
    this.#reader.frame(name, data)
    const { tokens } = this.#isTooLarge ? this : this.#reader
    this.#counted.note(countedOutput(tokens), this.outputBytes)
  }

  /** After text that is too large, the client gets only an error, and the stream is read only for its usage. */
  #loseText(frame: ShrunkFrame): void {
    const bytes = lostTextBytes(frame, this.outputBytes)
    if (bytes === undefined) return
    this.outputBytes += bytes
    this.endedEarly = true
    this.#isTooLarge = true
  }

  #take(event: ReplyEvent): void {
    if (this.state === 'ended' || this.state === 'failed') return
    if (this.#isTooLarge) {
      this.#takeUnwritten(event)
      return
    }
    if (event.kind === 'reply-end' && this.#isToBeHeld(event)) {
      this.#heldEnd = event
      return
    }
    this.#note(event)
    if (event.kind !== 'reply-end') {
      this.#written += this.#writer.write(event)
      if (this.#writer.isFull === true && event.kind !== 'reply-failed') {
        this.endedEarly = true
        this.#take({ kind: 'reply-failed', failure: REPLY_TOO_LARGE })
      }
      return
    }
    this.#written += this.#writer.write({ ...event, tokens: this.tokens })
    this.#parts.onItems?.(this.#writer.items ?? [])
  }

  #takeUnwritten(event: ReplyEvent): void {
    const isEnd = event.kind === 'reply-end' || event.kind === 'reply-failed'
    if (event.kind === 'reply-end') {
      this.endedEarly = false
      this.#tokens = event.tokens ?? this.#tokens
    }
    const noted: ReplyEvent = isEnd ? { kind: 'reply-failed', failure: EVENT_TOO_LARGE } : event
    this.#note(noted)
    if (isEnd) this.#written += this.#writer.write(noted)
  }

  /** Whether the gateway made this end, and only the vendor can report the usage. The client has its text already. */
  #isToBeHeld({ tokens }: ReplyEndEvent): boolean {
    const isOwn = this.endedEarly && tokens === undefined && this.#heldEnd === undefined
    return isOwn && hidesCost({ answer: { kind: 'stream', relay: this }, hidesInput: this.#parts.hidesInput })
  }

  /** Text after the gateway's own end is not sent to the client; only the usage is taken. */
  #takeAfterEnd(event: ReplyEvent): void {
    if (event.kind === 'reply-failed') this.#endHeld(undefined)
    else if (event.kind === 'reply-end') {
      this.endedEarly = false
      this.#endHeld(event.tokens)
    }
  }

  #endHeld(tokens: ReplyTokens | undefined): void {
    if (this.#heldEnd !== undefined) this.#take({ ...this.#heldEnd, tokens })
    this.#heldEnd = undefined
  }

  #note(event: ReplyEvent): void {
    if (event.kind === 'block-delta') this.outputBytes += Buffer.byteLength(event.text)
    else if (event.kind === 'block-start') this.#noteBlock(event.block)
    else if (event.kind === 'block-seal') this.#noteProof(event.seal.proof.length)
    else if (event.kind === 'reply-start') {
      this.state = 'flowing'
      if (event.tokens !== undefined) this.#tokens = { ...event.tokens, reasoning: 0 }
    } else if (event.kind === 'reply-end') {
      this.#tokens = this.#tokensAtEnd(event.tokens)
      this.state = 'ended'
    } else if (event.kind === 'reply-failed') {
      this.state = 'failed'
      this.failure = event.failure
    }
  }

  #noteBlock(block: BlockHead): void {
    if (block.kind === 'reasoning') this.#noteProof(0)
    else if (block.kind === 'opaque' && 'type' in block.raw && block.raw.type === 'redacted_thinking')
      this.#noteProof(String(Object(block.raw).data).length)
  }

  #noteProof(characters: number): void {
    this.#reasoning = { proofCharacters: (this.#reasoning?.proofCharacters ?? 0) + characters }
  }

  /** An end by the gateway, or by a vendor that counts nothing, has no usage. Older usage does not cover the last text. */
  #tokensAtEnd(tokens: ReplyTokens | undefined): ReplyTokens {
    const { outputBytes, isAllCounted } = this
    const { countInput } = this.#parts
    const isOld = this.#reader.tokens !== undefined && !isAllCounted
    return tokens === undefined || isOld
      ? countedSoFar(tokens ?? this.tokens, { countInput, outputBytes, isAllCounted })
      : countedTokens(tokens, { countInput, outputBytes })
  }

  #flush(): string {
    const written = this.#written
    this.#written = ''
    return written
  }
}
