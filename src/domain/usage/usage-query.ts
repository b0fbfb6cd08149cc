import { invalidParameter } from '../api-error.ts'

const USAGE_GROUPS = ['day', 'hour', 'org', 'user', 'key', 'model'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

export interface UsageQuery {
  /** In the order of `USAGE_GROUPS`, each once. */
  by: readonly UsageGroup[]
  fromMs: number
  /** Exclusive. */
  toMs: number
}

/** Texts of a client or an operator; left out or empty: the default. */
export interface RawUsageQuery {
  by?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS_DEFAULT = 30
export const HOURS_KEPT_DAYS = 90
/** About ten years. */
const DAYS_MAX = 3_660

/** Throws `ApiError('invalid_parameter')`. Default: 30 days including today, or 24 hours including the current hour. */
export function parseUsageQuery(raw: RawUsageQuery, nowMs: number): UsageQuery {
  const by = parseGroups(raw.by)
  const stepMs = by.includes('hour') ? HOUR_MS : DAY_MS
  const steps = by.includes('hour') ? 24 : DAYS_DEFAULT
  const toMs = parseMoment('to', raw.to) ?? nowMs - (nowMs % stepMs) + stepMs
  const fromMs = parseMoment('from', raw.from) ?? toMs - steps * stepMs
  if (fromMs >= toMs) throw invalidParameter('from', 'from must be before the end, which is exclusive.')
  const query = { by, fromMs, toMs }
  if (needsHours(query) && fromMs < nowMs - (HOURS_KEPT_DAYS + 1) * DAY_MS)
    throw invalidParameter(
      'from',
      `from is too early: hours are kept for ${HOURS_KEPT_DAYS} days. Ask for days.`,
    )
  if (toMs - fromMs > DAYS_MAX * DAY_MS)
    throw invalidParameter('from', `from may be ${DAYS_MAX} days before the end at most.`)
  return query
}

/** Whole days are answered from sums by day, which are far fewer. */
export function needsHours({ by, fromMs, toMs }: UsageQuery): boolean {
  return by.includes('hour') || fromMs % DAY_MS !== 0 || toMs % DAY_MS !== 0
}

function parseGroups(text: string | undefined): UsageGroup[] {
  if (text === undefined || text === '') return ['day']
  const names = text.split(',')
  const known = USAGE_GROUPS.filter((group) => names.includes(group))
  if (known.length !== names.length) throw invalidParameter('by', GROUPS_ADVICE)
  if (known.includes('day') && known.includes('hour'))
    throw invalidParameter('by', 'by takes day or hour, not both: every hour is of one day.')
  return known
}

const GROUPS_ADVICE = 'by is a list of day or hour, org, user, key, model, each once, such as day,model.'

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):00(?::00)?Z)?$/

function parseMoment(param: 'from' | 'to', text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const [, year, month, day, hour = '00'] = MOMENT.exec(text) ?? []
  const iso = `${year}-${month}-${day}T${hour}:00:00.000Z`
  const ms = year === undefined ? Number.NaN : Date.parse(iso)
  // The parser reads a day that is not in the calendar as a day of the next month.
  if (Number.isNaN(ms) || ms < 0 || new Date(ms).toISOString() !== iso)
    throw invalidParameter(
      param,
      `${param} must be a date in UTC such as 2026-11-01, or a full hour such as 2026-11-01T05:00Z.`,
    )
  return ms
}
