import type { Duplex } from 'node:stream'
import errors from 'undici/lib/core/errors.js'
import type { WireReplyHead } from './reply-head.ts'
import { type ParsedReplySink, ReplyParser } from './reply-parser.ts'
import type { WireCall } from './wire-call.ts'

const { BodyTimeoutError, HeadersTimeoutError, InformationalError, SocketError } = errors

export interface ConnectionOwner {
  /** Called when the connection has brought a whole reply and can take another request. */
  onFree(connection: Http1Connection): void
  onClosed(connection: Http1Connection): void
}

/** Limits of the vendor's silence, in ticks of the owner's timer. */
export interface SilenceTicks {
  head: number
  body: number
}

/** Size of the pieces of a large body, because a socket encrypts a whole write in one step. */
const PIECE_BYTES = 256 * 1024
/** Up to this size, copying head and body together is cheaper than a second write. */
const ONE_WRITE_BYTES = 32 * 1024
/** Time for which a free connection is kept: `KEPT_MS`, or `SOONER_MS` less than the vendor's keep-alive time. */
const KEPT_MS = 4_000
const KEPT_MS_MAX = 600_000
const SOONER_MS = 2_000

const NO_BYTES = Buffer.alloc(0)

/**
 * One socket with at most one call on it.
 *
 *   free ─send()─► waiting for the head ─► receiving ─► free | closed
 *
 * When bytes arrive without a call, the connection closes: they would be read as the reply to the next request.
 */
export class Http1Connection implements ParsedReplySink {
  readonly #socket: Duplex & { ref?(): void; unref?(): void }
  readonly #owner: ConnectionOwner
  readonly #silence: SilenceTicks
  readonly #parser = new ReplyParser(this)
  #call: WireCall | undefined
  #head: WireReplyHead | undefined
  /** Part of the request's body that is not written yet. */
  #unsent: Uint8Array | undefined
  /** Bytes that arrived before or during a pause of the call, and that are not parsed yet. */
  #rest: Buffer = NO_BYTES
  #isReading = false
  #isUnref = false
  #silentTicks = 0
  /** Organization of the last call. */
  holder = ''
  /** Time for which the connection may stay free. */
  keptMs = KEPT_MS
  /** Time at which a free connection expires; set by the owner. */
  expiresMs = 0

  constructor(socket: Duplex, owner: ConnectionOwner, silence: SilenceTicks) {
    this.#socket = socket
    this.#owner = owner
    this.#silence = silence
    socket.on('data', (bytes: Buffer) => this.#onData(bytes))
    socket.on('end', () => this.#onEnd())
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => {
      this.destroy(new SocketError('closed'))
      owner.onClosed(this)
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  send(call: WireCall): void {
    if (this.#isUnref) this.#socket.ref?.()
    this.#isUnref = false
    this.#call = call
    this.holder = call.holder
    this.#head = undefined
    this.#silentTicks = 0
    this.expiresMs = Infinity
    this.#parser.begin(call)
    try {
      call.start(this)
      if (this.#call === call) this.#write(call)
    } catch (error) {
      this.destroy(toError(error))
    }
  }

  pause(): void {
    this.#parser.isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    if (this.#call === undefined || !this.#parser.isPaused) return
    this.#parser.isPaused = false
    this.#silentTicks = 0
    this.#socket.resume()
    // A read that is running on the stack continues after this call.
    if (!this.#isReading) this.#readRest()
  }

  /** Closes the socket. Its call fails with the error. */
  destroy(error: Error): void {
    const call = this.#call
    this.#release()
    this.#socket.destroy()
    call?.handler.onResponseError?.(call, error)
  }

  onTick(nowMs: number): void {
    if (this.#call === undefined) this.#onFreeTick(nowMs)
    else this.#onBusyTick()
  }

  /** Ignores interim responses (1xx), which do not extend the limit for the head. */
  onHead(head: WireReplyHead): void {
    const call = this.#call
    if (head.status < 200 || call === undefined) return
    this.#silentTicks = 0
    this.#head = head
    try {
      if (call.handler.onReplyHead === undefined)
        call.handler.onResponseStart?.(call, head.status, head.headers)
      else call.handler.onReplyHead(head)
    } catch (error) {
      this.destroy(toError(error))
    }
  }

  onBody(bytes: Buffer): void {
    this.#silentTicks = 0
    const call = this.#call
    if (call === undefined) return
    try {
      call.handler.onResponseData?.(call, bytes)
    } catch (error) {
      this.destroy(toError(error))
    }
  }

  #write({ head: { text, bodyBytes }, body }: WireCall): void {
    if (body === null || bodyBytes === 0) {
      this.#socket.write(text, 'latin1')
    } else if (bodyBytes <= ONE_WRITE_BYTES) {
      const bytes = Buffer.allocUnsafe(text.length + bodyBytes)
      bytes.write(text, 0, 'latin1')
      if (typeof body === 'string') bytes.write(body, text.length)
      else bytes.set(body, text.length)
      this.#socket.write(bytes)
    } else {
      this.#unsent = typeof body === 'string' ? Buffer.from(body) : body
      this.#socket.cork()
      this.#socket.write(text, 'latin1')
      this.#writeMore()
      this.#socket.uncork()
    }
  }

  #writeMore(): void {
    const unsent = this.#unsent
    if (unsent === undefined) return
    this.#silentTicks = 0
    this.#unsent = unsent.length > PIECE_BYTES ? unsent.subarray(PIECE_BYTES) : undefined
    // The callback of each write writes the next piece, because Node emits no 'drain' for a write in its handler.
    this.#socket.write(unsent.subarray(0, PIECE_BYTES), () => this.#writeMore())
  }

  #onData(bytes: Buffer): void {
    const call = this.#call
    if (call === undefined) {
      this.destroy(new SocketError('bad response'))
      return
    }
    if (this.#parser.isPaused) {
      this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
      return
    }
    this.#isReading = true
    try {
      const readBytes = this.#parser.read(bytes)
      this.#isReading = false
      if (this.#call !== call) return
      if (this.#parser.isEnded) this.#finish(call, readBytes < bytes.length)
      else if (readBytes < bytes.length) this.#rest = bytes.subarray(readBytes)
    } catch (error) {
      this.#isReading = false
      this.destroy(toError(error))
    }
  }

  /** Called when the vendor has closed its side. A paused call first gets the rest. */
  #onEnd(): void {
    const call = this.#call
    while (call !== undefined && this.#call === call && this.#parser.isPaused) {
      this.#parser.isPaused = false
      this.#readRest()
    }
    if (this.#call === undefined && call !== undefined) return
    if (call !== undefined && this.#parser.finish()) this.#finish(call, false)
    else this.destroy(new SocketError('other side closed'))
  }

  #readRest(): void {
    const rest = this.#rest
    this.#rest = NO_BYTES
    this.#onData(rest)
  }

  /** Ends a call with a whole reply. More bytes, or an unwritten request, prevent reuse. */
  #finish(call: WireCall, hasMore: boolean): void {
    const framing = this.#head?.framing
    const { isLast } = call.head
    this.keptMs = keptMsOf(framing?.keptMs)
    const isKept =
      framing?.isKept === true && !hasMore && !isLast && this.#unsent === undefined && this.keptMs > 0
    this.#release()
    try {
      call.handler.onResponseEnd?.(call, {})
    } catch (error) {
      call.handler.onResponseError?.(call, toError(error))
    } finally {
      if (!isKept) this.destroy(new InformationalError('reset'))
      else if (this.isOpen) this.#owner.onFree(this)
    }
  }

  #release(): void {
    this.#call?.end()
    this.#call = undefined
    this.#unsent = undefined
    this.#rest = NO_BYTES
    this.#parser.isPaused = true
  }

  #onBusyTick(): void {
    const hasHead = this.#head !== undefined
    this.#silentTicks += 1
    // A paused call waits for its reader and not for the vendor.
    if (hasHead && this.#parser.isPaused) return
    if (this.#silentTicks <= (hasHead ? this.#silence.body : this.#silence.head)) return
    this.destroy(hasHead ? new BodyTimeoutError() : new HeadersTimeoutError())
  }

  /** Closes an expired connection. A free one does not keep the process alive. */
  #onFreeTick(nowMs: number): void {
    if (nowMs >= this.expiresMs) this.destroy(new InformationalError('socket idle timeout'))
    else if (!this.#isUnref) {
      this.#isUnref = true
      this.#socket.unref?.()
    }
  }
}

function keptMsOf(hintMs: number | undefined): number {
  return hintMs === undefined ? KEPT_MS : Math.min(hintMs - SOONER_MS, KEPT_MS_MAX)
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a handler threw', { cause: error })
}
