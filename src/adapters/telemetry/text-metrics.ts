import type { Metrics } from '../../ports/metrics.ts'
import type { TextFigures } from '../../ports/usage.ts'
import { boundedLabel } from './bounded-label.ts'
import type { RegisteredMetrics } from './metric-table.ts'
import { createTally } from './tally.ts'

/** Maximum number of model labels; operators seldom offer more models. */
const MODELS_MAX = 200
/** Number of replies that are summed before a flush, which costs a tenth of single flushes. */
const RECORDED_MAX = 512

/** Counts tokens, cost and speed of text requests, by model and provider. `flush` passes them on to the registry. */
export function countText(metrics: RegisteredMetrics) {
  const { textRequests: requests, textErrors: errors, textTokens: tokens, textCost: cost } = metrics
  const { firstToken, speed, fallbacks, routed, free } = metrics
  const boundModel = boundedLabel(MODELS_MAX)
  const sumsByModel = new Map<string, Map<string, TextSums>>()
  let recorded = 0

  return {
    record(usage: TextFigures) {
      add(usage, sumsOf(boundModel(usage.model), usage.provider))
      recorded += 1
      if (recorded === RECORDED_MAX) flush()
    },
    flush,
    metrics: {
      textRefused({ model, provider, code }) {
        const labels = { model: boundModel(model), provider }
        requests.inc({ ...labels, outcome: 'refused' })
        errors.inc({ ...labels, code })
      },
      textReplyUnusable: ({ model, provider, code }) =>
        errors.inc({ model: boundModel(model), provider, code }),
      usageFree: (model) => free.inc({ model: boundModel(model) }),
      fallbackServed: ({ asked, served }) =>
        fallbacks.inc({ asked: boundModel(asked), served: boundModel(served) }),
      routeServed: ({ asked, served }) =>
        routed.inc({ asked: boundModel(asked), served: boundModel(served) }),
    } satisfies Partial<Metrics>,
  }

  function sumsOf(model: string, provider: string): TextSums {
    const known = sumsByModel.get(model)?.get(provider)
    if (known !== undefined) return known
    const sums = new TextSums()
    const byProvider = sumsByModel.get(model) ?? new Map<string, TextSums>()
    sumsByModel.set(model, byProvider.set(provider, sums))
    return sums
  }

  function flush(): void {
    for (const [model, byProvider] of sumsByModel)
      for (const [provider, sums] of byProvider) flushSums({ model, provider }, sums)
    sumsByModel.clear()
    recorded = 0
  }

  function flushSums(labels: { model: string; provider: string }, sums: TextSums): void {
    for (const [outcome, times] of sums.outcomes) requests.inc({ ...labels, outcome }, times)
    tokens.inc({ ...labels, kind: 'input' }, sums.inputTokens)
    tokens.inc({ ...labels, kind: 'cached_input' }, sums.cachedInputTokens)
    tokens.inc({ ...labels, kind: 'cache_write' }, sums.cacheWriteTokens)
    tokens.inc({ ...labels, kind: 'output' }, sums.outputTokens)
    cost.inc(labels, sums.costMicros)
    for (const seconds of sums.firstTokenSeconds) firstToken.observe(labels, seconds)
    for (const perSecond of sums.speeds) speed.observe(labels, perSecond)
  }
}

/** Sums of one model and provider. One object per reply would reach the old generation before the flush. */
class TextSums {
  readonly outcomes = new Map<TextFigures['outcome'], number>()
  inputTokens = 0
  cachedInputTokens = 0
  cacheWriteTokens = 0
  outputTokens = 0
  costMicros = 0
  readonly firstTokenSeconds: number[] = []
  readonly speeds: number[] = []
}

function add(usage: TextFigures, sums: TextSums): void {
  const { outcome, outputTokens, firstByteMs, durationMs } = usage
  sums.outcomes.set(outcome, (sums.outcomes.get(outcome) ?? 0) + 1)
  sums.inputTokens += usage.inputTokens
  sums.cachedInputTokens += usage.cachedInputTokens
  sums.cacheWriteTokens += usage.cacheWriteTokens
  sums.outputTokens += outputTokens
  sums.costMicros += usage.costMicros
  if (firstByteMs !== null) sums.firstTokenSeconds.push(firstByteMs / 1_000)
  if (outputTokens > 0 && durationMs > 0) sums.speeds.push((outputTokens * 1_000) / durationMs)
}

/** Maximum number of pairs of key and model, of two lines each; others are counted together. */
const PAIRS_MAX = 1_000

/** Counts input tokens by API key and model, and by whether the vendor read them from its cache. */
export function countCachedInput({ inputTokens: counter }: RegisteredMetrics): {
  record(keyId: string, usage: TextFigures): void
  flush(): void
} {
  const others = { cached: 0, uncached: 0 }
  const recorded = new Map<string, Map<string, typeof others>>()
  let pairs = 0
  return {
    record(keyId, { model, inputTokens, cachedInputTokens, cacheWriteTokens }) {
      const counts = recorded.get(keyId)?.get(model) ?? open(keyId, model)
      counts.cached += cachedInputTokens
      counts.uncached += inputTokens + cacheWriteTokens
    },
    flush() {
      for (const [key, models] of recorded)
        for (const [model, counts] of models) flushCounts({ key, model }, counts)
      flushCounts({ key: OTHERS, model: OTHERS }, others)
    },
  }

  function open(keyId: string, model: string): typeof others {
    if (pairs >= PAIRS_MAX) return others
    pairs += 1
    const models = recorded.get(keyId) ?? new Map<string, typeof others>()
    const counts = { cached: 0, uncached: 0 }
    models.set(model, counts)
    recorded.set(keyId, models)
    return counts
  }

  function flushCounts(labels: { key: string; model: string }, counts: typeof others): void {
    if (counts.cached > 0) counter.inc({ ...labels, cached: 'true' }, counts.cached)
    if (counts.uncached > 0) counter.inc({ ...labels, cached: 'false' }, counts.uncached)
    counts.cached = 0
    counts.uncached = 0
  }
}

/** Maximum number of keys, each of which is two lines of a scrape. Further keys are counted together. */
const KEYS_MAX = 500
const OTHERS = 'others'

/** Counts the replies of each API key, and those whose client left before the end. */
export function countHangUps({ replies: counter }: RegisteredMetrics) {
  const boundKey = boundedLabel(KEYS_MAX, OTHERS)
  const tally = createTally({
    count: ([key, hungUp], times) => counter.inc({ key, hung_up: hungUp }, times),
    observe() {},
  })
  return {
    record: (keyId: string, isHungUp: boolean) => tally.record(boundKey(keyId), String(isHungUp), '', 0),
    flush: tally.flush,
  }
}
