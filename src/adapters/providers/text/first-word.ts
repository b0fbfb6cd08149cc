import type { TextHead, TextReceiver } from '../../../ports/text-provider.ts'
import type { NetworkError } from '../../outbound/network-error.ts'
import type { Flow, Head, Receiver } from '../../outbound/receiver.ts'
import { readRetryAfterMs } from '../retry-after.ts'
import type { RingKey } from './key-ring.ts'

/** Each says whether the call is taken away from its receiver, who then hears nothing of this answer. */
export interface FirstWordJudge {
  takesHead(head: TextHead, key: RingKey): boolean
  takesFailure(failure: NetworkError, key: RingKey): boolean
}

/** The rest of an unwanted answer is read to its end, up to this size, so that the connection can be used again. */
const UNWANTED_BYTES_MAX = 64 * 1024

/**
 * Lets the judge see the head of an answer first, and decide whether the receiver gets the answer.
 *
 *   asking -> given (the receiver hears everything) | taken (it hears nothing)
 */
export class FirstWord implements Receiver {
  readonly #receiver: TextReceiver
  readonly #judge: FirstWordJudge
  readonly #key: RingKey
  #state: 'asking' | 'given' | 'taken' = 'asking'
  #flow: Flow | undefined
  #unwantedBytes = 0

  /** `key` is what this answer was asked with. */
  constructor(receiver: TextReceiver, judge: FirstWordJudge, key: RingKey) {
    this.#receiver = receiver
    this.#judge = judge
    this.#key = key
  }

  onHead({ status, headers }: Head, flow: Flow): void {
    this.#flow = flow
    const head = { status, retryAfterMs: status < 400 ? undefined : readRetryAfterMs(headers) }
    this.#state = this.#judge.takesHead(head, this.#key) ? 'taken' : 'given'
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

  onFailure(failure: NetworkError): void {
    if (this.#state === 'taken') return
    if (this.#state === 'asking' && this.#judge.takesFailure(failure, this.#key)) return
    this.#receiver.onFailure(failure)
  }
}
