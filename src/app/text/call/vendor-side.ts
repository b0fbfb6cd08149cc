import { ReplyScanner, type ScannedReply } from '@sluice/dialects/passthrough/reply-scanner'
import type { TextFlow, TextHead, TextSent } from '../../../ports/text-provider.ts'
import { LIGHT_REPLY_BYTES_MAX } from '../contract/relay.ts'

const ERROR_BYTES_MAX = 64 * 1024
const WHOLE_BYTES_MAX = 64 * 1024 * 1024
/** Half the size of a large reply. The scan reads two bytes for each new byte, so it has caught up at the full size. */
const SCANNED_BYTES_MIN = LIGHT_REPLY_BYTES_MAX / 2

/**
 * The vendor's side of a call: whether the call is running, whether its stream is paused, and the bytes of an answer that
 * can only be read whole.
 *
 *   unsent -> sent -> done
 */
export class VendorSide {
  state: 'unsent' | 'sent' | 'done' = 'unsent'
  isPaused = false
  head: TextHead | undefined
  #sent: TextSent | undefined
  #flow: TextFlow | undefined
  #chunks: Buffer[] = []
  #held: Promise<void> | undefined
  #scanner: ReplyScanner | undefined
  #scannedChunks = 0
  /** Size of the answer so far, kept or not. */
  bytes = 0

  ask(send: () => TextSent): void {
    this.state = 'sent'
    try {
      this.#sent = send()
    } catch (fault) {
      this.state = 'done'
      throw fault
    }
  }

  /** Returns whether the request was sent, and its reply may be read without the client. */
  detach(): boolean {
    return this.#sent?.isQueued !== true && this.#sent?.detach?.() !== false
  }

  answers(head: TextHead, flow: TextFlow): void {
    this.head = head
    this.#flow = flow
  }

  /** Returns false when an error body exceeds its bound. */
  keep(chunk: Buffer): boolean {
    const isErrorAnswer = this.head !== undefined && this.head.status >= 300
    this.bytes += chunk.length
    if (isErrorAnswer && this.bytes > ERROR_BYTES_MAX) return false
    this.#chunks.push(chunk)
    if (this.bytes > SCANNED_BYTES_MIN) this.#scan(2 * chunk.length)
    if (this.isTooLarge) {
      this.#scan(Number.POSITIVE_INFINITY)
      this.forgetChunks()
    }
    return true
  }

  /** Whether the reply is too large to keep. Such a reply is only scanned. */
  get isTooLarge(): boolean {
    return this.bytes > WHOLE_BYTES_MAX
  }

  get scanned(): ScannedReply {
    return this.#scan(Number.POSITIVE_INFINITY)
  }

  joined(): Buffer {
    return joinChunks(this.#chunks)
  }

  takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks
    this.forgetChunks()
    return chunks
  }

  forgetChunks(): void {
    this.#chunks = []
    this.#scannedChunks = 0
  }

  /** Scans about `bytesMax` bytes of the kept chunks, because a whole backlog in one turn would block other requests. */
  #scan(bytesMax: number): ScannedReply {
    this.#scanner ??= new ReplyScanner()
    for (let left = bytesMax; left > 0 && this.#scannedChunks < this.#chunks.length; ) {
      const chunk = this.#chunks[this.#scannedChunks] as Buffer
      this.#scanner.push(chunk)
      this.#scannedChunks += 1
      left -= chunk.length
    }
    return this.#scanner
  }

  ended(): void {
    this.state = 'done'
  }

  pause(): void {
    if (this.isPaused) return
    this.isPaused = true
    this.#flow?.pause()
  }

  /** Pauses the vendor until `over` resolves; then calls `next`. */
  holdUntil(over: Promise<void>, next: () => void): void {
    if (this.#held === over) return
    this.#held = over
    this.pause()
    void over.then(() => {
      this.#held = undefined
      next()
    })
  }

  /** Returns false when the vendor was not paused, or has to stay paused. */
  resume(): boolean {
    if (!this.isPaused || this.#held !== undefined) return false
    this.isPaused = false
    this.#flow?.resume()
    return true
  }

  /** Hangs up, so that the call ends with a failure. Does nothing once the call is done. */
  stop(): void {
    if (this.state !== 'sent') return
    // The answer may arrive before `send` has returned.
    const call = this.#sent ?? this.#flow
    call?.stop('aborted')
  }
}

/**
 * Returns a single chunk, as most answers have, without a copy if it is part of a larger buffer. A chunk that fills its
 * whole buffer is copied: a transfer to the reading thread would take the buffer away.
 */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  const isShared = first !== undefined && first.length < first.buffer.byteLength
  return chunks.length === 1 && isShared ? first : Buffer.concat(chunks)
}
