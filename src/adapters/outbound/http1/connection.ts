import type { Duplex } from 'node:stream'
import errors from 'undici/lib/core/errors.js'
import type { ReplyHead } from './reply-head.ts'
import { type ParsedReplySink, ReplyParser } from './reply-parser.ts'
import type { WireCall } from './wire-call.ts'

const { BodyTimeoutError, HeadersTimeoutError, InformationalError, SocketError } = errors

export interface ConnectionOwner {
  /** The connection has brought a whole reply and can take another request. */
  onFree(connection: Connection): void
  onClosed(connection: Connection): void
}

/** For how many ticks of the owner's clock the vendor may be silent. */
export interface SilenceTicks {
  head: number
  body: number
}

/** A socket encrypts all that it is given in one go: megabytes are given piece by piece, each when the one before is out. */
const PIECE_BYTES = 256 * 1024
/** Up to this size a copy is cheaper than a second write. */
const ONE_WRITE_BYTES = 32 * 1024
/** How long a connection is kept when the vendor gives no time, and how much sooner than the vendor we close it. */
const KEPT_MS = 4_000
const KEPT_MS_MAX = 600_000
const SOONER_MS = 2_000

const NO_BYTES = Buffer.alloc(0)

/**
 * One socket with at most one call on it.
 *
 *   free ─send()─► waiting for the head ─► receiving ─► free | closed
 *
 * It closes when bytes come that no call waits for: they would be read as the reply to the next request.
 */
export class Connection implements ParsedReplySink {
  readonly #socket: Duplex & { ref?(): void; unref?(): void }
  readonly #owner: ConnectionOwner
  readonly #silence: SilenceTicks
  readonly #parser = new ReplyParser(this)
  #call: WireCall | undefined
  #head: ReplyHead | undefined
  /** The part of the request's body that is not written yet. */
  #unsent: Uint8Array | undefined
  /** What was read before the call was paused, and not parsed. */
  #rest: Buffer = NO_BYTES
  #isReading = false
  #isUnref = false
  #silentTicks = 0
  /** The organization of its last call. */
  holder = ''
  /** How long it may stay free. */
  keptMs = KEPT_MS
  /** Set by the owner while it is free. */
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
      this.destroy(asError(error))
    }
  }

  pause(): void {
    this.#parser.isHeld = true
    this.#socket.pause()
  }

  resume(): void {
    if (this.#call === undefined || !this.#parser.isHeld) return
    this.#parser.isHeld = false
    this.#silentTicks = 0
    this.#socket.resume()
    // A read that is on the stack goes on by itself.
    if (this.#isReading) return
    this.#readRest()
  }

  /** Closes the socket; a call on it fails with the error. */
  destroy(error: Error): void {
    const call = this.#call
    this.#release()
    this.#socket.destroy()
    call?.handler.onResponseError?.(call, error)
  }

  /** The owner's clock. */
  onTick(nowMs: number): void {
    if (this.#call === undefined) this.#onFreeTick(nowMs)
    else this.#onBusyTick()
  }

  /** An announcement is no reply: the limit for the head goes on. */
  onHead(head: ReplyHead): void {
    const call = this.#call
    if (head.status < 200 || call === undefined) return
    this.#silentTicks = 0
    this.#head = head
    try {
      if (call.handler.onReplyHead === undefined)
        call.handler.onResponseStart?.(call, head.status, head.headers)
      else call.handler.onReplyHead(head)
    } catch (error) {
      this.destroy(asError(error))
    }
  }

  onBody(bytes: Buffer): void {
    this.#silentTicks = 0
    const call = this.#call
    if (call === undefined) return
    try {
      call.handler.onResponseData?.(call, bytes)
    } catch (error) {
      this.destroy(asError(error))
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
    // Not by 'drain', which Node does not emit for a write from within its own handler.
    this.#socket.write(unsent.subarray(0, PIECE_BYTES), () => this.#writeMore())
  }

  #onData(bytes: Buffer): void {
    const call = this.#call
    if (call === undefined) {
      this.destroy(new SocketError('bad response'))
      return
    }
    if (this.#parser.isHeld) {
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
      this.destroy(asError(error))
    }
  }

  /** The vendor has closed its side. A paused call gets the rest at once: the socket closes, and would take it along. */
  #onEnd(): void {
    const call = this.#call
    while (call !== undefined && this.#call === call && this.#parser.isHeld) {
      this.#parser.isHeld = false
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

  /** The reply is whole. Bytes after it, or a request that was not written whole, make the connection useless. */
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
      call.handler.onResponseError?.(call, asError(error))
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
    this.#parser.isHeld = true
  }

  #onBusyTick(): void {
    const hasHead = this.#head !== undefined
    this.#silentTicks += 1
    // While a paused call waits for its reader, the silence is not the vendor's.
    if (hasHead && this.#parser.isHeld) return
    if (this.#silentTicks <= (hasHead ? this.#silence.body : this.#silence.head)) return
    this.destroy(hasHead ? new BodyTimeoutError() : new HeadersTimeoutError())
  }

  /** A free connection keeps no process alive. */
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

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a handler threw', { cause: error })
}
