const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type RangeName = (typeof RANGES)[number]

const LENGTHS: Record<RangeName, { steps: number; stepMs: number; by: 'hour' | 'day' }> = {
  '24h': { steps: 24, stepMs: HOUR_MS, by: 'hour' },
  '7d': { steps: 168, stepMs: HOUR_MS, by: 'hour' },
  '30d': { steps: 30, stepMs: DAY_MS, by: 'day' },
  '90d': { steps: 90, stepMs: DAY_MS, by: 'day' },
}

export interface Range {
  by: 'hour' | 'day'
  from: string
  to: string
  /** The period before it, of the same length. */
  before: { from: string; to: string }
  /** The beginning of every step, in seconds since 1970. */
  times: number[]
  stepMs: number
  /** Adds up the values of the rows of each step; steps without a row are 0. */
  spread(rows: readonly StepRow[], value: (row: StepRow) => number): number[]
  spreadBefore(rows: readonly StepRow[], value: (row: StepRow) => number): number[]
}

export interface StepRow {
  day?: string
  hour?: string
  requests: number
  errors: number
  input_tokens: number
  output_tokens: number
  video_seconds: number
  cost_micros: number
}

export function rangeName(word: string | undefined): RangeName {
  return RANGES.find((name) => name === word) ?? '24h'
}

/** The last steps, the current one included. */
export function rangeOf(name: RangeName, nowMs: number): Range {
  const { steps, stepMs, by } = LENGTHS[name]
  const endMs = (Math.floor(nowMs / stepMs) + 1) * stepMs
  return stepsOf(endMs - steps * stepMs, steps, by)
}

/**
 * Steps are hours in a range of up to eight days, if the hours of the range before it are kept too; else days.
 * undefined: `from` and `to` are not a range.
 */
export function rangeBetween(
  from: string | undefined,
  to: string | undefined,
  nowMs: number,
): Range | undefined {
  const [fromMs, toMs] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
  if (!(toMs > fromMs)) return undefined
  const lengthMs = toMs - fromMs
  const by = lengthMs > HOURS_MAX_MS || fromMs - lengthMs < nowMs - HOURS_KEPT_MS ? 'day' : 'hour'
  const stepMs = by === 'day' ? DAY_MS : HOUR_MS
  const endMs = Math.ceil(toMs / stepMs) * stepMs
  const steps = Math.min(STEPS_MAX, endMs / stepMs - Math.floor(fromMs / stepMs))
  return stepsOf(endMs - steps * stepMs, steps, by)
}

const HOURS_MAX_MS = 8 * DAY_MS
/** The admin API keeps sums by hour for 90 days. It also takes a query by hour that begins up to one day earlier. */
const HOURS_KEPT_MS = 90 * DAY_MS
/** Maximum number of days that the admin API takes; a longer range is cut to its last days. */
const STEPS_MAX = 3_660

/** Makes steps of whole hours or days in UTC, like those of the usage sums. */
function stepsOf(startMs: number, steps: number, by: 'hour' | 'day'): Range {
  const stepMs = by === 'day' ? DAY_MS : HOUR_MS
  const endMs = startMs + steps * stepMs
  const write = (ms: number) => {
    const iso = new Date(ms).toISOString()
    return by === 'hour' ? `${iso.slice(0, 16)}Z` : iso.slice(0, 10)
  }
  const spreadFrom = (beginMs: number) => (rows: readonly StepRow[], value: (row: StepRow) => number) => {
    const sums = new Array<number>(steps).fill(0)
    for (const row of rows) {
      const step = Math.floor((Date.parse(row.hour ?? row.day ?? '') - beginMs) / stepMs)
      if (sums[step] !== undefined) sums[step] += value(row)
    }
    return sums
  }
  return {
    by,
    from: write(startMs),
    to: write(endMs),
    stepMs,
    before: { from: write(startMs - steps * stepMs), to: write(startMs) },
    times: Array.from({ length: steps }, (_, step) => (startMs + step * stepMs) / 1_000),
    spread: spreadFrom(startMs),
    spreadBefore: spreadFrom(startMs - steps * stepMs),
  }
}

/** The calendar month in UTC until the end of today, because usage is kept by day. */
export function monthRange(nowMs: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: `${day(nowMs).slice(0, 7)}-01`, to: day(nowMs + DAY_MS) }
}
