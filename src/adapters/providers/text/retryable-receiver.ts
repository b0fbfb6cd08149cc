import type { TextHead, TextReceiver } from '../../../ports/text-provider.ts'
import type { NetworkError } from '../../outbound/network-error.ts'
import type { Flow, Head, Receiver } from '../../outbound/receiver.ts'
import { readRetryAfterMs } from '../../outbound/retry-after.ts'
import type { RingKey } from './key-ring.ts'

/** Each method returns true when the call is sent again. The receiver then gets nothing of this response. */
export interface RetryPolicy {
  retriesAfterHead(head: TextHead, key: RingKey): boolean
  retriesAfterFailure(failure: NetworkError, key: RingKey): boolean
}

/** Size up to which a discarded response is read to its end, so that its connection can be reused. */
const UNWANTED_BYTES_MAX = 64 * 1024

/**
 * Shows the head of a response, or its failure, to the policy before the receiver gets it.
 *   waiting -> passed (the receiver gets everything) | retried (it gets nothing)
 */
export class RetryableReceiver implements Receiver {
  readonly #receiver: TextReceiver
  readonly #policy: RetryPolicy
  readonly #key: RingKey
  #state: 'waiting' | 'passed' | 'retried' = 'waiting'
  #flow: Flow | undefined
  #unwantedBytes = 0

  constructor(receiver: TextReceiver, policy: RetryPolicy, key: RingKey) {
    this.#receiver = receiver
    this.#policy = policy
    this.#key = key
  }

  onHead(answered: Head, flow: Flow): void {
    this.#flow = flow
    const { status } = answered
    const head = { status, retryAfterMs: status < 400 ? undefined : readRetryAfterMs(answered.headers) }
    this.#state = this.#policy.retriesAfterHead(head, this.#key) ? 'retried' : 'passed'
    if (this.#state === 'passed') this.#receiver.onHead(head, flow)
  }

  onChunk(chunk: Buffer): void {
    if (this.#state === 'passed') {
      this.#receiver.onChunk(chunk)
      return
    }
    this.#unwantedBytes += chunk.length
    if (this.#unwantedBytes > UNWANTED_BYTES_MAX) this.#flow?.stop('too-large')
  }

  onEnd(): void {
    if (this.#state === 'passed') this.#receiver.onEnd()
  }

  onFailure(failure: NetworkError): void {
    if (this.#state === 'retried') return
    if (this.#state === 'waiting' && this.#policy.retriesAfterFailure(failure, this.#key)) return
    this.#receiver.onFailure(failure)
  }
}
