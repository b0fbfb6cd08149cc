import type { Relay } from '../contract/relay.ts'
import { NO_CLIENT, type ReplySink } from '../contract/reply-sink.ts'
import { HoldBack } from './hold-back.ts'

/**
 * The client's side of a call: whether its reply has begun, and whether the client is still there.
 *
 *   here -> gone             its connection is closed: nothing more is sent
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

  /** `headers` are the headers of a successful reply. */
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

  /** Ends the reply. A failure in the middle of one JSON value can only be shown by a cut connection. */
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
