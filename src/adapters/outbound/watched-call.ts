import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { BreakerAdmission, BreakerKeeper } from './breaker-keeper.ts'
import type { CallSpan } from './call-span.ts'
import type { FailureKind, NetworkError } from './network-error.ts'
import { classOfStatus, type Flow, type Head, type Receiver } from './receiver.ts'

interface WatchParts {
  call: { operation: string }
  provider: string
  span: CallSpan | undefined
  metrics: Metrics
  clock: Pick<Clock, 'monotonicMs'>
  receiver: Receiver
  /** Left out: the call has no breakers. */
  breaker?: Pick<BreakerKeeper, 'report'>
}

/** Wraps a receiver and records outcome and duration of its call, also for its breakers. */
export class WatchedCall implements Receiver {
  readonly #parts: WatchParts
  readonly #receiver: Receiver
  readonly #startedMs: number
  /** Set when the breakers have admitted the call. */
  admission: BreakerAdmission | undefined
  #status: number | undefined
  #isFinished = false

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#receiver = parts.receiver
    this.#startedMs = parts.clock.monotonicMs()
  }

  onHead(head: Head, flow: Flow): void {
    this.#status = head.status
    if (this.admission?.isProbe) this.#parts.breaker?.report(this.admission, head.status)
    this.#receiver.onHead(head, flow)
  }

  onChunk(chunk: Buffer): void {
    this.#receiver.onChunk(chunk)
  }

  onEnd(): void {
    this.#finish(undefined)
    this.#receiver.onEnd()
  }

  onFailure(failure: NetworkError): void {
    this.#finish(failure.kind)
    this.#receiver.onFailure(failure)
  }

  /** Records only the first end, because a receiver whose `onEnd` throws gets a failure too. */
  #finish(failure: FailureKind | undefined): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const { call, provider, span, metrics, clock, breaker } = this.#parts
    if (this.admission !== undefined) breaker?.report(this.admission, this.#status ?? 0, failure)
    const outcome = failure ?? classOfStatus(this.#status ?? 0)
    const seconds = (clock.monotonicMs() - this.#startedMs) / 1_000
    metrics.upstreamCallFinished({ provider, operation: call.operation, outcome, seconds })
    span?.end({ status: this.#status, failure })
  }
}
