import type { Metrics } from '../../ports/metrics.ts'
import type { TextFigures } from '../../ports/usage.ts'
import { boundedLabel } from './bounded-label.ts'
import type { RegisteredMetrics } from './metric-table.ts'

/** Models that are told apart; operators seldom offer more. */
const MODELS_MAX = 200
/** Replies that are summed before they are counted: one by one between other work they cost ten times as much. */
const NOTED_MAX = 512

type TextMetrics = Pick<
  Metrics,
  'textRefused' | 'textReplyUnusable' | 'fallbackServed' | 'routeServed' | 'usageFree'
> & {
  note(usage: TextFigures): void
  /** Hands on what was noted since the last time. */
  handOn(): void
}

/** Tokens, cost and speed of text requests, by model and provider. */
export function countText(metrics: RegisteredMetrics): TextMetrics {
  const { textRequests: requests, textErrors: errors, textTokens: tokens, textCost: cost } = metrics
  const { firstToken, speed, fallbacks, routed, free } = metrics
  const boundModel = boundedLabel(MODELS_MAX)
  const sumsByModel = new Map<string, Map<string, TextSums>>()
  let noted = 0

  return {
    note(usage) {
      add(usage, sumsOf(boundModel(usage.model), usage.provider))
      noted += 1
      if (noted === NOTED_MAX) handOn()
    },
    handOn,
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
    routeServed: ({ asked, served }) => routed.inc({ asked: boundModel(asked), served: boundModel(served) }),
  }

  function sumsOf(model: string, provider: string): TextSums {
    const known = sumsByModel.get(model)?.get(provider)
    if (known !== undefined) return known
    const sums = new TextSums()
    const byProvider = sumsByModel.get(model) ?? new Map<string, TextSums>()
    sumsByModel.set(model, byProvider.set(provider, sums))
    return sums
  }

  function handOn(): void {
    for (const [model, byProvider] of sumsByModel)
      for (const [provider, sums] of byProvider) handOnSums({ model, provider }, sums)
    sumsByModel.clear()
    noted = 0
  }

  function handOnSums(labels: { model: string; provider: string }, sums: TextSums): void {
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

/** What the replies of one model and provider add up to. Numbers alone: a reply that waits here as an object grows old. */
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

/** Each pair is two lines of a scrape: those that come after so many are counted together. */
const PAIRS_MAX = 1_000

/** How many tokens each API key put into each model, and how many of them the vendor read from its cache. */
export function countCachedInput({ inputTokens: counter }: RegisteredMetrics): {
  note(keyId: string, usage: TextFigures): void
  /** Hands on what was noted since the last time. */
  handOn(): void
} {
  const others = { cached: 0, uncached: 0 }
  const noted = new Map<string, Map<string, typeof others>>()
  let pairs = 0
  return {
    note(keyId, { model, inputTokens, cachedInputTokens, cacheWriteTokens }) {
      const counts = noted.get(keyId)?.get(model) ?? open(keyId, model)
      counts.cached += cachedInputTokens
      counts.uncached += inputTokens + cacheWriteTokens
    },
    handOn() {
      for (const [key, models] of noted)
        for (const [model, counts] of models) handOnCounts({ key, model }, counts)
      handOnCounts({ key: OTHERS, model: OTHERS }, others)
    },
  }

  function open(keyId: string, model: string): typeof others {
    if (pairs >= PAIRS_MAX) return others
    pairs += 1
    const models = noted.get(keyId) ?? new Map<string, typeof others>()
    const counts = { cached: 0, uncached: 0 }
    models.set(model, counts)
    noted.set(keyId, models)
    return counts
  }

  function handOnCounts(labels: { key: string; model: string }, counts: typeof others): void {
    if (counts.cached > 0) counter.inc({ ...labels, cached: 'true' }, counts.cached)
    if (counts.uncached > 0) counter.inc({ ...labels, cached: 'false' }, counts.uncached)
    counts.cached = 0
    counts.uncached = 0
  }
}

/** Each key is two lines of a scrape: those that come after so many are counted together. */
const KEYS_MAX = 500
const OTHERS = 'others'

/** How many replies of each API key were heard to their end, and how many the client left before it. */
export function countHangUps({ replies: counter }: RegisteredMetrics): {
  note(keyId: string, isHungUp: boolean): void
  /** Hands on what was noted since the last time. */
  handOn(): void
} {
  const noted = new Map<string, { heard: number; hungUp: number }>()
  return {
    note(keyId, isHungUp) {
      const counts = noted.get(keyId) ?? open(keyId)
      if (isHungUp) counts.hungUp += 1
      else counts.heard += 1
    },
    handOn() {
      for (const [key, counts] of noted) {
        if (counts.heard > 0) counter.inc({ key, hung_up: 'false' }, counts.heard)
        if (counts.hungUp > 0) counter.inc({ key, hung_up: 'true' }, counts.hungUp)
        counts.heard = 0
        counts.hungUp = 0
      }
    },
  }

  function open(keyId: string): { heard: number; hungUp: number } {
    const key = noted.size < KEYS_MAX ? keyId : OTHERS
    const counts = noted.get(key) ?? { heard: 0, hungUp: 0 }
    noted.set(key, counts)
    return counts
  }
}
