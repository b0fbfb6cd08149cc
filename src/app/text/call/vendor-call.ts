import type { StreamError } from '@sluice/dialects/canonical/reply-event'
import { BROKEN_OFF } from '@sluice/dialects/canonical/stream-failures'
import type { ApiError } from '../../../domain/api-error.ts'
import type {
  TextFlow,
  TextHead,
  TextNetworkError,
  TextReceiver,
  TextSent,
} from '../../../ports/text-provider.ts'
import type { Relay, WholeReply } from '../contract/relay.ts'
import { nameLosses } from '../contract/text-plan.ts'
import type { LiveReply } from '../relay/live-replies.ts'
import { hidesCost } from '../route/hides-cost.ts'
import { ClientSide } from './client-side.ts'
import { dueAtTick } from './due-at-tick.ts'
import { readCollected, relayOfLarge } from './read-collected.ts'
import { errorOfAnswer, errorOfGone, errorOfReply, errorOfSilence } from './text-vendor-error.ts'
import type { ServedEnd, VendorCallEnd, VendorCallParts, VendorCallTools } from './vendor-call-end.ts'
import { failureOfApiError, failureOfSilence, servedEnd, unusableFor } from './vendor-call-end.ts'
import { VendorSide } from './vendor-side.ts'

/**
 * One call to one vendor, from the request to the last byte for the client.
 *
 *   asking     -> relaying        a stream: its events go to the client as they arrive
 *              -> collecting      a whole reply: it is answered when it is complete
 *              -> reading-error   the vendor answered with an error status; its body explains why
 *   collecting -> relaying        the reply is large, and can be passed on while it arrives
 *              -> reading         the reply is large, and another thread reads it
 *   any        -> over            the first end counts: of the vendor, the client or the gateway
 *
 * When a client leaves a reply whose cost is hidden, the call continues until the vendor has reported its usage. After
 * its end, the call watches both connections until they close, and closes a connection that stays open too long.
 */
export class VendorCall implements TextReceiver, LiveReply {
  readonly ended: Promise<VendorCallEnd>
  /** Index in the list of live replies; the list assigns it. */
  slot = -1
  readonly #tools: VendorCallTools
  readonly #parts: VendorCallParts
  readonly #startedMs: number
  readonly #resolve: (end: VendorCallEnd) => void
  #state: 'asking' | 'reading-error' | 'collecting' | 'reading' | 'relaying' | 'over' = 'asking'
  readonly #vendor = new VendorSide()
  readonly #client: ClientSide
  /** Belongs to a stream, or to a large reply that is passed on. */
  #openRelay: Relay | undefined
  #msToFirstByte: number | undefined
  #ticksWithoutBytes = 0
  #waitTimer: NodeJS.Timeout | undefined

  constructor(tools: VendorCallTools, parts: VendorCallParts) {
    ;({ promise: this.ended, resolve: this.#resolve } = Promise.withResolvers<VendorCallEnd>())
    this.#tools = tools
    this.#parts = parts
    this.#client = new ClientSide(parts.sink, parts.headers, tools.holdBackMs)
    this.#openRelay = parts.answer.kind === 'stream' ? parts.answer.relay : undefined
    this.#startedMs = tools.clock.monotonicMs()
    tools.live.add(this, parts.caller, parts.answer.kind)
    parts.sink.onClose(() => this.#clientClosed())
    if (this.#openRelay !== undefined) parts.sink.onDrain(() => this.#resume())
  }

  /** Calls the vendor, unless the client is gone already. */
  begin(send: () => TextSent): void {
    if (this.#state === 'over') return
    try {
      this.#vendor.ask(send)
    } catch (fault) {
      this.#endWithError(BROKEN_OFF)
      throw fault
    }
  }

  onHead(head: TextHead, flow: TextFlow): void {
    this.#vendor.answers(head, flow)
    if (this.#state === 'over') flow.stop('aborted')
    else if (head.status < 200 || head.status > 299) this.#state = 'reading-error'
    else this.#state = this.#parts.answer.kind === 'stream' ? 'relaying' : 'collecting'
  }

  onChunk(chunk: Buffer): void {
    this.#msToFirstByte ??= this.#tools.clock.monotonicMs() - this.#startedMs
    try {
      if (this.#state === 'relaying') this.#relay((relay) => relay.push(chunk))
      else if (this.#state === 'collecting' || this.#state === 'reading-error') this.#collect(chunk)
    } catch (fault) {
      this.#breakOff(fault)
    }
  }

  onEnd(): void {
    this.#vendor.ended()
    this.#guarded(() => {
      if (this.#state === 'relaying') this.#relay((relay) => relay.close())
      else if (this.#state === 'collecting') this.#answerWhole()
      else if (this.#state === 'reading-error') this.#endWithVendorError()
      else this.#removeWhenClosed()
    })
  }

  /** `taken: 'maybe'`: the vendor may have done the work, so a client that has left pays for it. */
  onFailure(failure: TextNetworkError): void {
    this.#vendor.ended()
    // An error answer stays an error answer when its body is cut off.
    if (this.#state === 'reading-error') this.#endWithVendorError()
    else if (this.#state === 'over') this.#removeWhenClosed()
    else if (this.#state === 'relaying' && failure.kind === 'stalled') {
      // The client has not read for long, and other requests needed the vendor's connection. This counts as a hang-up.
      this.#endServed('hung-up')
      this.#client.cut()
    } else if (this.#state === 'relaying') this.failWith(failureOfSilence(failure))
    else if (this.#client.isClosed && failure.taken === 'maybe') this.#endServed('hung-up')
    else if (this.#client.hasBegun && !this.#client.isClosed) this.failWith(failureOfSilence(failure))
    else if (this.#client.isClosed) this.#end({ kind: 'refused', refused: errorOfGone(), reached: false })
    else this.#end({ kind: 'refused', refused: errorOfSilence(failure), reached: failure.taken === 'maybe' })
  }

  /** Ends the call for the gateway. A stream that has begun ends with an error event. */
  failWith(failure: StreamError): void {
    if (this.#state === 'over') return
    const relay = this.#openRelay
    if (this.#client.hasLeft) this.#endServed('hung-up')
    else if (relay?.awaitsCount === true) this.#endWait()
    else if (relay !== undefined && this.#client.hasBegun) {
      this.#client.write(relay.fail(failure))
      this.#client.end(relay)
      this.#endServed('failed')
    } else this.#endWithError(failure)
    this.#vendor.stop()
  }

  /** Ends a side that stalls, and sends keep-alive events in a silence. After a keep-alive event, an error is an event. */
  tick(): void {
    const relay = this.#openRelay
    const isOver = this.#state === 'over'
    if (!isOver && relay === undefined) return
    this.#ticksWithoutBytes += 1
    const due = dueAtTick(this.#ticksWithoutBytes, { isOver, isPaused: this.#vendor.isPaused })
    if (due.stopsVendor) this.#vendor.stop()
    if (due.cutsClient) this.#client.cut()
    if (due.keepsAlive && relay !== undefined && relay.isWhole !== true) {
      this.#ticksWithoutBytes = 0
      this.#client.begin()
      if (!this.#client.write(relay.keepAlive())) this.#vendor.pause()
    }
  }

  #relay(step: (relay: Relay) => Uint8Array | string): void {
    const relay = this.#openRelay
    if (relay === undefined) return
    const bytes = step(relay)
    if (relay.reading !== undefined) this.#vendor.holdUntil(relay.reading, this.#readOn)
    const awaitsCount = relay.awaitsCount === true
    if (awaitsCount && this.#waitTimer === undefined) this.#waitForUsage(() => this.#endWait())
    // While the client has no byte, a reply that is too large can still become an HTTP status.
    if (relay.state === 'waiting' || (awaitsCount && !this.#client.hasBegun && bytes.length === 0)) return
    if (relay.state === 'failed' && !this.#client.hasBegun) {
      this.#endWithError(relay.failure ?? BROKEN_OFF)
      this.#vendor.stop()
      return
    }
    if (this.#client.holdsBack(bytes, relay)) return
    this.#client.begin()
    // Events that are not relayed are silence for the client too.
    if (bytes.length > 0) this.#ticksWithoutBytes = 0
    const canTakeMore = bytes.length === 0 || this.#client.write(bytes)
    if (relay.state === 'flowing') {
      if (!canTakeMore && !awaitsCount) this.#vendor.pause()
      return
    }
    this.#client.end(relay)
    this.#endServed(relay.state === 'ended' ? 'completed' : 'failed')
    // Unless the gateway ended the reply early, the vendor ends its answer itself, and its connection can be reused.
    if (relay.endedEarly) this.#vendor.stop()
    else this.#resume()
  }

  readonly #readOn = () =>
    this.#guarded(() => {
      if (this.#state === 'relaying') this.#relay((relay) => relay.readOn?.() ?? '')
      if (this.#client.hasLeft && !hidesCost(this.#parts)) this.#hangUpOnVendor()
      else this.#resume()
    })

  #collect(chunk: Buffer): void {
    const isKept = this.#vendor.keep(chunk)
    if (!isKept) this.#endWithVendorError()
    if (this.#state !== 'collecting') return
    this.#openRelay = relayOfLarge(this.#parts.answer, this.#vendor)
    if (this.#openRelay === undefined) return
    this.#state = 'relaying'
    this.#parts.sink.onDrain(() => this.#resume())
    for (const chunk of this.#vendor.takeChunks()) this.#relay((relay) => relay.push(chunk))
  }

  #answerWhole(): void {
    const reply = readCollected(this.#parts.answer, this.#vendor, this.#tools.log)
    if (reply instanceof Promise) {
      this.#state = 'reading'
      void reply.then((read) => this.#guarded(() => this.#handOver(read)))
    } else this.#handOver(reply)
  }

  #handOver(reply: WholeReply): void {
    if (reply.kind === 'failed') this.#endWithError(reply.failure)
    if (this.#state === 'over' || reply.kind === 'failed') return
    const outcome = this.#client.hasLeft ? 'hung-up' : 'completed'
    if (reply.unusable === undefined)
      this.#client.answer(reply.body, nameLosses(this.#parts.headers, reply.losses))
    this.#end(servedEnd(outcome, reply, { firstByteMs: this.#msToFirstByte, durationMs: 0 }))
  }

  #endWithVendorError(): void {
    const { head = { status: 502, retryAfterMs: undefined } } = this.#vendor
    const refused = errorOfAnswer(head, this.#vendor.joined(), this.#parts.errorContext)
    if (this.#client.hasBegun) this.failWith(failureOfApiError(refused))
    else this.#end({ kind: 'refused', refused, reached: true })
    this.#vendor.stop()
  }

  #clientClosed(): void {
    const mayListen = this.#tools.hangUpListenMs > 0 && this.#parts.sink.restIsUseless?.() !== true
    this.#client.isClosed = true
    if (this.#state === 'over') this.#removeWhenClosed()
    else if (this.#state === 'reading') this.#client.leave()
    else if (this.#vendor.state === 'unsent')
      this.#end({ kind: 'refused', refused: errorOfGone(), reached: false })
    else if (this.#state === 'reading-error') this.#endWithVendorError()
    else if (mayListen && hidesCost(this.#parts) && this.#vendor.detach()) {
      this.#client.leave()
      this.#waitForUsage(() => this.#hangUpOnVendor())
    } else this.#hangUpOnVendor()
  }

  #hangUpOnVendor(): void {
    // In the state `asking`, `onFailure` tells whether the vendor has taken the request.
    if (this.#state !== 'asking') this.#endServed('hung-up')
    this.#vendor.stop()
  }

  /** Ends a text that was cut at a stop sequence or as too large, without the vendor's usage. */
  #endWait(): void {
    this.#relay((relay) => relay.endWait?.() ?? '')
  }

  #waitForUsage(onOver: () => void): void {
    clearTimeout(this.#waitTimer)
    this.#waitTimer = setTimeout(() => this.#guarded(onOver), this.#tools.hangUpListenMs).unref()
    this.#resume()
  }

  #guarded(act: () => void): void {
    try {
      act()
    } catch (fault) {
      this.#breakOff(fault)
    }
  }

  /** A fault of the gateway while it reads a vendor's answer must not leave the client waiting. */
  #breakOff(fault: unknown): void {
    this.#tools.log.error('reply.read_failed', { error: fault })
    this.failWith(BROKEN_OFF)
  }

  #endWithError(failure: StreamError): void {
    if (failure.kind === 'too-large') this.#endServed('failed', unusableFor(failure))
    this.#end({ kind: 'refused', refused: errorOfReply(failure), reached: this.#vendor.state !== 'unsent' })
  }

  #endServed(outcome: ServedEnd['outcome'], unusable?: ApiError): void {
    const durationMs = this.#tools.clock.monotonicMs() - this.#startedMs
    const times = { firstByteMs: this.#msToFirstByte, durationMs, hasBegun: this.#client.hasBegun }
    this.#end(servedEnd(this.#client.hasLeft ? 'hung-up' : outcome, this.#openRelay, times, unusable))
  }

  #end(end: VendorCallEnd): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    clearTimeout(this.#waitTimer)
    this.#client.forget()
    this.#vendor.forgetChunks()
    this.#ticksWithoutBytes = 0
    // The HTTP layer sends the error, and watches that connection itself.
    if (end.kind === 'refused' || end.unusable !== undefined) this.#client.isClosed = true
    this.#resolve(end)
    this.#removeWhenClosed()
  }

  #removeWhenClosed(): void {
    if (this.#state === 'over' && this.#client.isClosed && this.#vendor.state !== 'sent')
      this.#tools.live.remove(this)
  }

  #resume(): void {
    if (this.#vendor.resume()) this.#ticksWithoutBytes = 0
  }
}
