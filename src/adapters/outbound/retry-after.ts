import type { Head } from './receiver.ts'

const RETRY_AFTER_MS_MAX = 3_600_000

/** Reads the delay before a retry. A date is relative to the vendor's clock. */
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

/** HTTP dates begin with the day of the week; `Date.parse` alone would accept `-1` as a year. */
function dateMsOf(text: string): number {
  return /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
}

/** Rounds up to whole seconds, at least one, for the header of a response. */
export function toRetryAfterSeconds(waitMs: number | undefined): number | undefined {
  return waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / 1_000))
}
