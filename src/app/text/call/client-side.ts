import type { Relay } from '../contract/relay.ts'
import { NO_CLIENT, type ReplySink, SERVED_BY_HEADER } from '../contract/reply-sink.ts'

/**
 * The client's side of a call: whether its reply has begun, and whether the client is connected.
 *
 *   here -> gone             its connection is closed, and the client gets nothing more
 *        -> left             its connection is closed, and the vendor's reply is still read
 */
export class ClientSide {
  isClosed = false
  hasBegun = false
  /** Whether the client has left while the vendor's reply is read for its usage. */
  hasLeft = false
  #sink: ReplySink
  readonly #headers: Record<string, string>
  readonly #holdBack: HoldBack

  constructor(sink: ReplySink, headers: Record<string, string>, holdBackMs: number) {
    this.#sink = sink
    this.#headers = headers
    this.#holdBack = new HoldBack(holdBackMs, () => this.begin())
  }

  /** Returns true while these bytes of a stream are held back. */
  holdsBack(bytes: Uint8Array | string, relay: Relay): boolean {
    return !this.hasBegun && this.#holdBack.keep(bytes, relay)
  }

  begin(): void {
    if (this.hasBegun) return
    this.hasBegun = true
    this.#holdBack.begin(this.#sink, this.#headers)
  }

  /** Returns false when the client is slow. */
  write(bytes: Uint8Array | string): boolean {
    return this.#sink.write(bytes)
  }

  /** Ends the reply. Only a cut connection can show a failure in the middle of one JSON value. */
  end({ state, isWhole }: Relay): void {
    if (state === 'failed' && isWhole === true) this.cut()
    else this.#sink.end()
  }

  answer(body: Uint8Array | string, headers: Record<string, string>): void {
    this.#sink.begin({ status: 200, headers, body })
  }

  cut(): void {
    this.#sink.cut()
  }

  leave(): void {
    this.hasLeft = true
    this.#sink = this.#sink.afterClose ?? NO_CLIENT
  }

  forget(): void {
    this.#holdBack.forget()
  }
}

/** Events before the first content are small. A vendor that sends more is not held back. */
const HELD_BYTES_MAX = 64 * 1024

/**
 * Holds back the first events of a stream until its first content. An error before the content can still become an HTTP
 * status or lead to a fallback, because the client has seen nothing of this vendor.
 *
 *   empty -> holding -> over            content or the end came, or too much is held
 *                    -> late -> over    the time was over before
 */
export class HoldBack {
  #state: 'empty' | 'holding' | 'late' | 'over' = 'empty'
  #held: Buffer[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  readonly #maxMs: number
  readonly #onTime: () => void

  /** `onTime` begins the reply when the time is over. */
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

  /** Begins the reply with the held events. If the time ran out before any content, a comment names the model too. */
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
