import type { LossName } from '../canonical/losses.ts'
import type { ReplyTokens, StreamError } from '../canonical/reply-event.ts'
import { BROKEN_OFF, EVENT_TOO_LARGE, EVENT_UNREADABLE } from '../canonical/stream-failures.ts'
import { OutputCount } from '../count/output-count.ts'
import type { TextEndpoint } from '../dialect-facts.ts'
import { CLIENT_DIALECTS } from '../dialects.ts'
import type { JsonObject } from '../json/json-object.ts'
import { findFrameEnd } from '../passthrough/find-frame-end.ts'
import { HeldBytes } from '../passthrough/held-bytes.ts'
import { inspectFrame, isWholeEvent } from '../passthrough/inspect-frame.ts'
import { isDelta } from '../passthrough/read-frame.ts'
import type { IdCollector } from '../passthrough/reply-ids.ts'
import { type Edit, spliceFirst } from '../passthrough/splice-bytes.ts'
import type { NamedEventListener, StreamEnd, StreamListener } from '../passthrough/stream-listener.ts'

export interface StreamRelayOptions {
  dialect: TextEndpoint
  /** The model's id, as the client named it. */
  model: string
  /** Maximum bytes of one event; a longer one ends the stream as a failure. */
  maxFrameBytes: number
  /** The client's request, at least its small members. */
  request?: JsonObject
  /** `yes`: the model thinks, and the dialect does not show it. Left out: `no`. */
  thinks?: 'yes' | 'no' | 'unknown'
  /** Secrets that must not reach the client in the vendor's errors: its address, and our keys for it. */
  hides?: readonly string[]
  /** Left out: ids of this reply have no meaning for other organizations. */
  ids?: IdCollector | undefined
  /** Reads a large event on another thread; undefined: it cannot be read. Left out: every event is read here. */
  large?: { isLarge(frame: Buffer): boolean; read(frame: Buffer): Promise<LargeFrame | undefined> }
}

export interface LargeFrame {
  /** Bytes for the client. */
  body: Uint8Array
  /** Small form of the event for the listener. */
  small: Uint8Array
  outputBytes: number
}

/** Makes a relay for a vendor's stream to a client of the same dialect. */
export function createStreamRelay({ dialect, ...options }: StreamRelayOptions): StreamRelay {
  return new StreamRelay(CLIENT_DIALECTS[dialect].passthrough.createListener(options), options)
}

/**
 * Passes a vendor's events on byte for byte, and inspects them. It parses only the events that name the model, report the
 * usage or end the reply, and recognizes the others by their names.
 *
 *   waiting (nothing for the client yet) -> flowing -> ended | failed
 *
 * Only a good end leads to `ended`: the vendor's final event, or in chat a closed stream after its `finish_reason`.
 */
export class StreamRelay {
  state: 'waiting' | 'flowing' | 'ended' | 'failed' = 'waiting'
  failure: StreamError | undefined
  /** Bytes of text and calls so far, for a vendor that does not count. */
  outputBytes = 0
  /** Whether the vendor has to be stopped. */
  endedEarly = false
  readonly losses: readonly LossName[] = []
  /** Resolves when a large event was read on its thread: `readOn` then passes it. */
  reading: Promise<void> | undefined
  readonly #listener: StreamListener
  readonly #events: NamedEventListener | undefined
  readonly #options: Omit<StreamRelayOptions, 'dialect'>
  readonly #held = new HeldBytes()
  readonly #counted = new OutputCount()
  #isFirst = true
  /** undefined: the event cannot be read. A number: the length of an event whose thread died. */
  #large: LargeFrame | number | undefined
  /** Chunks behind the event that is being read on a thread. */
  #later: Buffer[] = []
  #isClosed = false

  constructor(listener: StreamListener, options: Omit<StreamRelayOptions, 'dialect'>) {
    this.#listener = listener
    this.#events = 'use' in listener ? listener : undefined
    this.#options = options
  }

  get tokens(): ReplyTokens | undefined {
    return this.#listener.tokens
  }

  get vendorUsage(): unknown {
    return this.#listener.vendorUsage
  }

  get isAllCounted(): boolean {
    return this.#counted.isOfAll(this.outputBytes)
  }

  get isCounted(): boolean {
    return this.#listener.hasFinished === true && this.isAllCounted
  }

  get reasoning(): { proofCharacters: number } | undefined {
    const isUncounted = this.#options.thinks === 'yes' && !this.isAllCounted
    return this.#listener.reasoning ?? (isUncounted ? { proofCharacters: 0 } : undefined)
  }

  get mayReason(): boolean {
    return this.#options.thinks === 'unknown' && !this.isAllCounted
  }

  get hostedCalls(): number {
    return this.#listener.hostedCalls ?? 0
  }

  /** Returns bytes for the client, always whole events; usually a part of the chunk itself. */
  push(chunk: Buffer): Buffer {
    if (this.#isOver()) return NOTHING
    if (this.reading !== undefined) {
      this.#later.push(Buffer.from(chunk))
      return NOTHING
    }
    if (this.#held.length === 0) return this.#relay(chunk)
    this.#held.add(chunk)
    // The end of an event may begin up to three bytes before the chunk.
    const tail = this.#held.tail(chunk.length + 3)
    const end = findFrameEnd(tail, 0, tail.includes('\r'))
    if (end !== -1) return this.#relayHeld(this.#held.take(), end - tail.length)
    return this.#held.length > this.#options.maxFrameBytes ? this.#break(NOTHING, EVENT_TOO_LARGE) : NOTHING
  }

  /** The vendor closed its stream. A last event without a blank line counts if it is complete. */
  close(): Buffer {
    if (this.#isOver()) return NOTHING
    if (this.reading !== undefined) {
      this.#isClosed = true
      return NOTHING
    }
    const rest = this.#held.take()
    if (this.#isLarge(rest)) {
      this.#isClosed = true
      return this.#relayHeld(Buffer.concat([rest, BLANK_LINE]), 0)
    }
    const passed = isWholeEvent(rest) ? this.#relay(Buffer.concat([rest, BLANK_LINE])) : NOTHING
    if (this.#isOver()) return passed
    const goodEnd = 'atClose' in this.#listener ? this.#listener.atClose() : undefined
    if (goodEnd === undefined)
      return Buffer.concat([passed, Buffer.from(this.fail(this.#listener.failing ?? BROKEN_OFF))])
    this.state = 'ended'
    return Buffer.concat([passed, Buffer.from(goodEnd)])
  }

  /** Passes a large event that was read, and the chunks behind it. */
  readOn(): Buffer {
    const large = this.#large
    const later = this.#later
    this.#large = undefined
    this.#later = []
    this.reading = undefined
    if (this.#isOver()) return NOTHING
    if (large === undefined) return this.#break(NOTHING, EVENT_UNREADABLE)
    if (typeof large === 'number') return this.#break(NOTHING, EVENT_TOO_LARGE, large)
    const pieces = [this.#passLarge(large)]
    for (const chunk of later) pieces.push(this.push(chunk))
    if (this.#isClosed && this.reading === undefined) pieces.push(this.close())
    return Buffer.concat(pieces)
  }

  /** Ends the stream as a failure; returns the final events for the client. */
  fail(failure: StreamError): string {
    if (this.#isOver()) return ''
    this.state = 'failed'
    this.failure = failure
    return this.#listener.failureEvents(failure)
  }

  keepAlive(): string {
    return this.#listener.keepAlive()
  }

  #isLarge(frame: Buffer): boolean {
    return this.#options.large?.isLarge(frame) === true
  }

  /** `end`: end of the first event, as an offset from the end of the bytes: 0 or negative. */
  #relayHeld(bytes: Buffer, end: number): Buffer {
    const frame = bytes.subarray(0, bytes.length + end)
    const { large, maxFrameBytes } = this.#options
    if (!this.#isLarge(frame)) return this.#relay(bytes)
    if (frame.length > maxFrameBytes) return this.#break(NOTHING, EVENT_TOO_LARGE)
    // The thread takes over the memory of the frame.
    if (end < 0) this.#later.push(Buffer.from(bytes.subarray(end)))
    const { length } = frame
    this.reading = large?.read(frame).then(
      (large) => {
        this.#large = large
      },
      () => {
        this.#large = length
      },
    )
    return NOTHING
  }

  /** The listener inspects the small form of a large event. */
  #passLarge({ body, small, outputBytes }: LargeFrame): Buffer {
    const before = this.outputBytes
    const failed = this.#relay(Buffer.from(small))
    // The small form could not be read, or it is an error and the client has no bytes yet.
    if (this.endedEarly) return failed
    this.outputBytes = this.#isOver() ? Math.max(before, outputBytes) : before + outputBytes
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength) as Buffer
  }

  #isOver(): boolean {
    return this.state === 'ended' || this.state === 'failed'
  }

  #relay(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1')
    const hasReturns = text.includes('\r')
    const { model, maxFrameBytes, hides = [] } = this.#options
    const events = this.#events
    const edits: Edit[] = []
    let start = 0
    let end = findFrameEnd(text, 0, hasReturns)
    if (this.#isFirst && end !== -1) start = this.#dropMark(text, edits)
    for (; end !== -1; end = findFrameEnd(text, start, hasReturns)) {
      let through = end
      if (end - start > maxFrameBytes) return this.#cut({ bytes, text, start, edits }, EVENT_TOO_LARGE)
      // Nearly every event is a delta like the one before: a comparison costs a tenth of looking its name up.
      if (!hasReturns && events !== undefined && isDelta(text, start, end, events.deltaHead))
        this.outputBytes += events.deltaBytes(text, start, end)
      else {
        const place = { bytes, text, start, end, hasReturns, model, hides }
        const inspected = inspectFrame(place, this.#listener, edits)
        if (inspected === undefined) return this.#cut({ bytes, text, start, edits }, EVENT_UNREADABLE)
        if (inspected.end !== undefined)
          return this.#finish(spliceFirst({ bytes, text }, end, edits), inspected.end, inspected.outputBytes)
        this.outputBytes += inspected.outputBytes
        this.#counted.note(this.#listener.countedOutput, this.outputBytes)
        through = inspected.through ?? end
      }
      start = through
    }
    const { failing } = this.#listener
    // The client has no bytes yet, so it can get an error status.
    if (failing !== undefined && this.state === 'waiting') return this.#break(NOTHING, failing)
    if (bytes.length - start > maxFrameBytes) return this.#cut({ bytes, text, start, edits }, EVENT_TOO_LARGE)
    this.#held.hold(bytes.subarray(start))
    this.#events?.notice?.(text, start)
    const forClient = spliceFirst({ bytes, text }, start, edits)
    if (forClient.length > 0) this.state = 'flowing'
    return forClient
  }

  /** The text that the final event repeats has been counted already, if it had come in pieces. */
  #finish(passed: Buffer, end: StreamEnd, outputBytes: number): Buffer {
    this.outputBytes = Math.max(this.outputBytes, outputBytes)
    this.state = end.kind
    if (end.kind === 'failed') this.failure = end.failure
    return passed
  }

  /** Removes a byte order mark, which would become a part of the first event's name; returns the offset behind it. */
  #dropMark(text: string, edits: Edit[]): number {
    this.#isFirst = false
    if (!text.startsWith(BYTE_ORDER_MARK)) return 0
    edits.push({ start: 0, end: BYTE_ORDER_MARK.length, text: '' })
    return BYTE_ORDER_MARK.length
  }

  /** Ends the stream at `start`: the events before are good and pass. */
  #cut({ bytes, text, start, edits }: ChunkPart, failure: StreamError): Buffer {
    this.#events?.notice?.(text, start)
    const good = edits.filter((edit) => edit.start < start)
    return this.#break(spliceFirst({ bytes, text }, start, good), failure)
  }

  /** Fails the stream and adds the final events. An event that does not fit counts as `bytes` of output. */
  #break(passed: Buffer, failure: StreamError, bytes = this.#options.maxFrameBytes): Buffer {
    this.endedEarly = true
    if (failure === EVENT_TOO_LARGE) this.outputBytes += bytes
    const events = Buffer.from(this.fail(failure))
    return passed.length === 0 ? events : Buffer.concat([passed, events])
  }
}

interface ChunkPart {
  bytes: Buffer
  text: string
  start: number
  edits: readonly Edit[]
}

const NOTHING = Buffer.alloc(0)
const BLANK_LINE = Buffer.from('\n\n')
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf'
