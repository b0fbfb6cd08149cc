import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { CallSpan } from './call-span.ts'
import type { Receiver } from './receiver.ts'

/** Stands before a receiver and counts how the call ended, and how long it took. */
export function watchCall({
  call,
  provider,
  span,
  metrics,
  clock,
  receiver,
}: {
  call: { operation: string }
  provider: string
  span: CallSpan | undefined
  metrics: Metrics
  clock: Pick<Clock, 'monotonicMs'>
  receiver: Receiver
}): Receiver {
  const startedMs = clock.monotonicMs()
  let status: number | undefined
  let isFinished = false

  /** A receiver that could not take the end hears of a failure too; the call was one all the same. */
  function finish(failure: string | undefined): void {
    if (isFinished) return
    isFinished = true
    const outcome = failure ?? `${Math.floor((status ?? 0) / 100)}xx`
    const seconds = (clock.monotonicMs() - startedMs) / 1_000
    metrics.upstreamCallFinished({ provider, operation: call.operation, outcome, seconds })
    span?.end({ status, failure })
  }

  return {
    onHead(head, flow) {
      status = head.status
      receiver.onHead(head, flow)
    },
    onChunk: (chunk) => receiver.onChunk(chunk),
    onEnd() {
      finish(undefined)
      receiver.onEnd()
    },
    onFailure(failure) {
      finish(failure.kind)
      receiver.onFailure(failure)
    },
  }
}
