import { type Histogram, quantile } from '../../domain/usage/quantile.ts'
import type { PeriodFigures } from '../../ports/usage-reports.ts'
import type { Overview } from '../usage/show-overview.ts'
import { presentTime } from './times.ts'

/** Quantiles are computed from sums of histograms, so they are as exact as the buckets of the histograms. */
export function overviewJson({ fromMs, toMs, current, previous, open }: Overview) {
  return {
    object: 'overview',
    from: presentTime(fromMs),
    to: presentTime(toMs),
    current: periodJson(current),
    previous: previous === null ? null : periodJson(previous),
    now: {
      tasks: { ...open.openTasks, set_aside: open.tasksSetAside },
      oldest_due_poll_seconds: Math.floor(open.latePollMs / 1_000),
      at_risk_micros: open.holds.task.amountMicros + open.holds.allowance.amountMicros,
      holds: { task: holdsJson(open.holds.task), allowance: holdsJson(open.holds.allowance) },
    },
  }
}

function periodJson(figures: PeriodFigures) {
  return {
    cost_micros: figures.costMicros,
    requests: figures.requests,
    errors: figures.errors,
    input_tokens: figures.inputTokens,
    cached_input_tokens: figures.cachedInputTokens,
    cache_write_tokens: figures.cacheWriteTokens,
    output_tokens: figures.outputTokens,
    video_seconds: figures.videoMs / 1_000,
    first_token_ms: quantilesJson(figures.firstByte),
    latency_ms: quantilesJson(figures.duration),
    tasks: figures.ended,
    callbacks_given_up: figures.callbacksGivenUp,
  }
}

function quantilesJson(histogram: Histogram) {
  return { p50: quantile(histogram, 0.5), p95: quantile(histogram, 0.95), p99: quantile(histogram, 0.99) }
}

function holdsJson({ count, amountMicros }: { count: number; amountMicros: number }) {
  return { count, amount_micros: amountMicros }
}
