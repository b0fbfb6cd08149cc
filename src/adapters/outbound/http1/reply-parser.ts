import { maxHeaderSize } from 'node:http'
import errors from 'undici/lib/core/errors.js'
import { ChunkedBody } from './chunked-body.ts'
import { invalid, readReplyHead, type WireReplyHead } from './reply-head.ts'

const { HeadersOverflowError } = errors

export interface ParsedReplySink {
  /** Called with each head, also of interim responses (1xx). */
  onHead(head: WireReplyHead): void
  onBody(bytes: Buffer): void
}

const BLANK_LINE = '\r\n\r\n'
const BEGINNING = Buffer.from('HTTP/1.')
const CR = 13
const LF = 10

/**
 * Reads one reply after another from the bytes of a connection.
 *
 *   begin() ─► head ─┬─► counted ─┬─► complete ─► ended
 *                    ├─► chunked ─┤
 *                    ├─ no body ──┘
 *                    ├─► until-close ─finish()──► ended
 *                    └─ 1xx ─► head
 *
 * A paused parser reads nothing: neither the rest of a body nor its end.
 */
export class ReplyParser {
  readonly #sink: ParsedReplySink
  #state: 'head' | 'counted' | 'chunked' | 'until-close' | 'complete' | 'ended' = 'ended'
  #isHeadRequest = false
  #leftBytes = 0
  #chunks = new ChunkedBody()
  /** Beginning of an incomplete head. */
  #part: Buffer | undefined
  #partBytes = 0
  isPaused = false

  constructor(sink: ParsedReplySink) {
    this.#sink = sink
  }

  get isEnded(): boolean {
    return this.#state === 'ended'
  }

  begin({ isHeadRequest }: { isHeadRequest: boolean }): void {
    this.#state = 'head'
    this.#isHeadRequest = isHeadRequest
    this.isPaused = false
  }

  /** Returns the number of read bytes: all, unless paused or ended. Throws on bytes that are not a reply. */
  read(bytes: Buffer): number {
    let at = 0
    while (!this.isPaused && this.#state !== 'ended') {
      if (this.#state === 'complete') this.#state = 'ended'
      else if (this.#state === 'chunked' && this.#chunks.fault !== undefined) throw this.#chunks.fault
      else if (at === bytes.length) break
      else at = this.#readPart(bytes, at)
    }
    return at
  }

  /** Called when the vendor has closed its side. Returns false when the reply is incomplete. */
  finish(): boolean {
    if (this.#state !== 'until-close') return false
    this.#state = 'ended'
    return true
  }

  #readPart(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'counted':
        return this.#readCounted(bytes, at)
      case 'chunked':
        return this.#readChunked(bytes, at)
      default:
        this.#sink.onBody(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    if (this.#part !== undefined) return this.#collectHead(bytes, at, this.#part)
    const end = bytes.indexOf(BLANK_LINE, at, 'latin1')
    if (end === -1) return this.#collectHead(bytes, at, Buffer.allocUnsafe(maxHeaderSize))
    if (end + BLANK_LINE.length - at > maxHeaderSize) throw new HeadersOverflowError()
    this.#takeHead(bytes.toString('latin1', at, end + 2))
    return end + BLANK_LINE.length
  }

  /** Collects a head that arrives in several reads. */
  #collectHead(bytes: Buffer, at: number, part: Buffer): number {
    this.#part = part
    const before = this.#partBytes
    const copied = bytes.copy(part, before, at)
    this.#partBytes += copied
    const collected = part.subarray(0, this.#partBytes)
    const end = collected.indexOf(BLANK_LINE, Math.max(0, before - 3), 'latin1')
    if (end === -1) {
      refuseBadBeginning(collected, before)
      if (collected.length === part.length) throw new HeadersOverflowError()
      return at + copied
    }
    this.#part = undefined
    this.#partBytes = 0
    this.#takeHead(collected.toString('latin1', 0, end + 2))
    return at + end + BLANK_LINE.length - before
  }

  #takeHead(text: string): void {
    const head = readReplyHead(text, { isHeadRequest: this.#isHeadRequest })
    const { body, lengthBytes } = head.framing
    if (head.status >= 200) {
      this.#state = body === 'none' || lengthBytes === 0 ? 'complete' : body
      this.#leftBytes = lengthBytes
      if (body === 'chunked') this.#chunks = new ChunkedBody()
    }
    this.#sink.onHead(head)
  }

  #readCounted(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#leftBytes)
    this.#leftBytes -= end - at
    if (this.#leftBytes === 0) this.#state = 'complete'
    this.#sink.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    return end
  }

  #readChunked(bytes: Buffer, at: number): number {
    const end = this.#chunks.read(bytes, at)
    if (this.#chunks.isEnded) this.#state = 'complete'
    if (this.#chunks.piece !== undefined) this.#sink.onBody(this.#chunks.piece)
    return end
  }
}

/** Throws before the timeout when the bytes can never become a head. */
function refuseBadBeginning(collected: Buffer, newAt: number): void {
  const length = Math.min(collected.length, BEGINNING.length)
  if (collected.compare(BEGINNING, 0, length, 0, length) !== 0) throw invalid('status line')
  for (let at = collected.indexOf(LF, newAt); at !== -1; at = collected.indexOf(LF, at + 1)) {
    if (collected[at - 1] !== CR) throw invalid('line end')
  }
}
