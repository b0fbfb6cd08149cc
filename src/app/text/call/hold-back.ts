import type { Relay } from '../contract/relay.ts'
import { type ReplySink, SERVED_BY_HEADER } from '../contract/reply-sink.ts'

/** Events before the first content are small: a vendor that sends more is not held back. */
const HELD_BYTES_MAX = 64 * 1024

/**
 * Holds back the first events of a stream until its first content: an error before that can still become a status, or lead to
 * a fallback, and the client sees nothing of this vendor.
 *
 *   empty -> holding -> over     content or the end came, the time is over, or too much is held
 */
export class HoldBack {
  #state: 'empty' | 'holding' | 'late' | 'over' = 'empty'
  #held: Buffer[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  readonly #maxMs: number
  readonly #onTime: () => void

  /** `onTime` is called when the time is over; it begins the reply. */
  constructor(maxMs: number, onTime: () => void) {
    this.#maxMs = maxMs
    this.#onTime = onTime
  }

  /** Returns false when the bytes have to be sent, after the held ones. */
  keep(bytes: Uint8Array | string, relay: Relay): boolean {
    const isSilent = relay.state === 'flowing' && relay.outputBytes === 0 && relay.awaitsCount !== true
    if (!isSilent || this.#maxMs === 0 || this.#bytes + bytes.length > HELD_BYTES_MAX) return false
    if (this.#state === 'empty') {
      this.#state = 'holding'
      this.#timer = setTimeout(() => this.#runOut(), this.#maxMs).unref()
    }
    // The bytes are copied, because they may be part of a chunk that is reused.
    this.#held.push(Buffer.from(bytes))
    this.#bytes += bytes.length
    return true
  }

  /** Begins the client's reply with the held events. A late reply names its model again in a comment. */
  begin(sink: ReplySink, headers: Record<string, string>): void {
    sink.begin({ status: 200, headers })
    const isLate = this.#state === 'late'
    const held = this.#held
    this.forget()
    if (isLate) sink.write(`: served_by=${headers[SERVED_BY_HEADER] ?? ''}\n\n`)
    if (held.length > 0) sink.write(Buffer.concat(held))
  }

  forget(): void {
    this.#state = 'over'
    this.#held = []
    clearTimeout(this.#timer)
  }

  #runOut(): void {
    this.#state = 'late'
    this.#onTime()
  }
}
