import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { TimeBook } from '../../ports/time-book.ts'
import type { Step } from '../step.ts'
import type { LoadGauge } from './load-gauge.ts'

const SAMPLE_EVERY_MS = 50

/** Refuses requests without a caller while the process is overloaded. */
export function shedLoad({ load, metrics }: { load: LoadGauge; metrics: Metrics }): Step {
  return (_request, _reply, done) => {
    if (!load.isOver()) return done()
    metrics.requestShed()
    done(new ApiError('overloaded'))
  }
}

/** Reports the lag of a timer, which equals the wait of other work. Returns a function that ends it. */
export function watchLag({ book, clock }: { book: TimeBook; clock: Clock }): () => void {
  let expectedMs = clock.monotonicMs() + SAMPLE_EVERY_MS
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs()
    book.observeLag(nowMs - expectedMs)
    expectedMs = nowMs + SAMPLE_EVERY_MS
  }, SAMPLE_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
