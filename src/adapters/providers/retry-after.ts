import type { Head } from '../outbound/receiver.ts'

const RETRY_AFTER_MS_MAX = 3_600_000

/**
 * When a vendor wants to be asked again; some say it in milliseconds too, and mean those. A date counts from the vendor's
 * own clock, which may not be ours.
 */
export function readRetryAfterMs(headers: Head['headers']): number | undefined {
  const text = headers['retry-after'] ?? ''
  const waitMs =
    amountMs(headers['retry-after-ms'], 1) ??
    amountMs(text, 1_000) ??
    dateMsOf(text.trim()) - dateMsOf(headers.date ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, Math.ceil(waitMs)), RETRY_AFTER_MS_MAX)
}

function amountMs(text: unknown, unitMs: number): number | undefined {
  if (typeof text !== 'string' || !/^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(text)) return undefined
  return Number(text) * unitMs
}

/** Every date of HTTP begins with its day of the week; left to itself, `Date.parse` finds a year in `-1` too. */
function dateMsOf(text: string): number {
  return /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
}

/** For a header of our own: whole seconds, at least one. */
export function toRetryAfterSeconds(waitMs: number | undefined): number | undefined {
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1_000))
}
