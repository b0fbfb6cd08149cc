import type { TextHead, TextReceiver } from '../../../ports/text-provider.ts'
import type { OutboundFailure } from '../../outbound/failure.ts'
import type { Flow, Head, Receiver } from '../../outbound/receiver.ts'
import { readRetryAfterMs } from '../retry-after.ts'

/** Each says whether the call is taken away from its receiver, who then hears nothing of this answer. */
export interface Takes {
  onHead(head: TextHead): boolean
  onFailure(failure: OutboundFailure): boolean
}

/** What is left of an answer that nobody wants is read to its end, so that the connection can be used again. */
const UNWANTED_BYTES_MAX = 64 * 1024

/**
 * Lets somebody look at the first word of an answer.
 *
 *   asking -> given (the receiver hears everything) | taken (it hears nothing)
 */
export class FirstWord implements Receiver {
  readonly #receiver: TextReceiver
  readonly #takes: Takes
  #state: 'asking' | 'given' | 'taken' = 'asking'
  #flow: Flow | undefined
  #unwantedBytes = 0

  constructor(receiver: TextReceiver, takes: Takes) {
    this.#receiver = receiver
    this.#takes = takes
  }

  onHead({ status, headers }: Head, flow: Flow): void {
    this.#flow = flow
    const head = { status, retryAfterMs: status < 400 ? undefined : readRetryAfterMs(headers) }
    this.#state = this.#takes.onHead(head) ? 'taken' : 'given'
    if (this.#state === 'given') this.#receiver.onHead(head, flow)
  }

  onChunk(chunk: Buffer): void {
    if (this.#state === 'given') {
      this.#receiver.onChunk(chunk)
      return
    }
    this.#unwantedBytes += chunk.length
    if (this.#unwantedBytes > UNWANTED_BYTES_MAX) this.#flow?.stop('too-large')
  }

  onEnd(): void {
    if (this.#state === 'given') this.#receiver.onEnd()
  }

  onFailure(failure: OutboundFailure): void {
    if (this.#state === 'taken') return
    if (this.#state === 'asking' && this.#takes.onFailure(failure)) return
    this.#receiver.onFailure(failure)
  }
}
