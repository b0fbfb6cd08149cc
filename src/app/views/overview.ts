import { json } from '../../domain/json/json-schema.ts'
import { type Histogram, quantile } from '../../domain/usage/quantile.ts'
import type { PeriodFigures } from '../../ports/usage-reports.ts'
import type { Overview } from '../usage/show-overview.ts'
import { answer, shown } from './present.ts'
import { presentTime } from './times.ts'

const QUANTILES = json.object({
  p50: shown.countOrNull(),
  p95: shown.countOrNull(),
  p99: shown.countOrNull(),
})

export const HOLDS = answer({ count: shown.count(), amount_micros: shown.micros() })

export const PERIOD = answer(
  {
    cost_micros: shown.micros(),
    requests: shown.count(),
    errors: shown.count(),
    input_tokens: shown.count(),
    cached_input_tokens: shown.count(),
    cache_write_tokens: shown.count(),
    output_tokens: shown.count(),
    video_seconds: json.number(),
    first_token_ms: QUANTILES,
    latency_ms: QUANTILES,
    tasks: json.object({ succeeded: shown.count(), failed: shown.count(), cancelled: shown.count() }),
    callbacks_given_up: shown.count(),
  },
  { tasks: 'ended' },
).from((figures: PeriodFigures) => ({
  ...figures,
  videoSeconds: figures.videoMs / 1_000,
  firstTokenMs: quantilesJson(figures.firstByte),
  latencyMs: quantilesJson(figures.duration),
}))

/** Quantiles are computed from sums of histograms, so they are as exact as the buckets of the histograms. */
export function overviewJson({ fromMs, toMs, current, previous, open }: Overview) {
  return {
    object: 'overview',
    from: presentTime(fromMs),
    to: presentTime(toMs),
    current: PERIOD.present(current),
    previous: previous && PERIOD.present(previous),
    now: {
      tasks: { ...open.openTasks, set_aside: open.tasksSetAside },
      oldest_due_poll_seconds: Math.floor(open.latePollMs / 1_000),
      at_risk_micros: open.holds.task.amountMicros + open.holds.allowance.amountMicros,
      holds: { task: HOLDS.present(open.holds.task), allowance: HOLDS.present(open.holds.allowance) },
    },
  }
}

function quantilesJson(histogram: Histogram) {
  return { p50: quantile(histogram, 0.5), p95: quantile(histogram, 0.95), p99: quantile(histogram, 0.99) }
}
