import { ApiError } from '../../domain/api-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Step } from '../step.ts'
import type { LoadGauge } from './load-gauge.ts'

const SAMPLE_EVERY_MS = 50

/** Refuses new work without a caller at once while there is too much: a quick no is better than a late yes. */
export function shedLoad({ load, metrics }: { load: LoadGauge; metrics: Metrics }): Step {
  return (_request, _reply, done) => {
    if (!load.isOver()) return done()
    metrics.requestShed()
    done(new ApiError('overloaded'))
  }
}

/** Tells the gauge how late a timer rings: that is how long everything else waits as well. Returns what ends it. */
export function watchLag({ load, clock }: { load: LoadGauge; clock: Clock }): () => void {
  let expectedMs = clock.monotonicMs() + SAMPLE_EVERY_MS
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs()
    load.observeLag(nowMs - expectedMs)
    expectedMs = nowMs + SAMPLE_EVERY_MS
  }, SAMPLE_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
