import type { Relay } from '../relay/relay.ts'
import { NO_CLIENT, type ReplySink } from '../relay/reply-sink.ts'
import { HoldBack } from './hold-back.ts'

/**
 * The client's side of a call: whether its reply has begun, and whether the client is still there.
 *
 *   here -> gone             its connection is done: nothing more is sent
 *        -> left             the same, and the vendor's reply is read on without it
 */
export class ClientSide {
  isClosed = false
  hasBegun = false
  /** The client has left, and the vendor is read on for its count. */
  hasLeft = false
  #sink: ReplySink
  readonly #headers: Record<string, string>
  readonly #holdBack: HoldBack

  /** `headers` are those of a reply that has come about. */
  constructor(sink: ReplySink, headers: Record<string, string>, holdBackMs: number) {
    this.#sink = sink
    this.#headers = headers
    this.#holdBack = new HoldBack(holdBackMs, () => this.begin())
  }

  /** True while these bytes of a stream are kept back. */
  holdsBack(bytes: Uint8Array | string, relay: Relay): boolean {
    return !this.hasBegun && this.#holdBack.keep(bytes, relay)
  }

  begin(): void {
    if (this.hasBegun) return
    this.hasBegun = true
    this.#holdBack.begin(this.#sink, this.#headers)
  }

  /** False: the client is slow. */
  write(bytes: Uint8Array | string): boolean {
    return this.#sink.write(bytes)
  }

  /** The relay is over. A failure in the middle of one JSON value can only be shown by a cut. */
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

  /** The call is over: what was kept back is of no use. */
  forget(): void {
    this.#holdBack.forget()
  }
}
