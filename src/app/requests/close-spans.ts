import type { Clock } from '../../ports/clock.ts'
import type { RequestLogStore } from '../../ports/request-log.ts'

/** Rows of a span. A page reads whole spans, so in the worst case it reads this many rows for each row that it shows. */
const SPAN_ROWS = 1_000
/** Spans are closed together, because the sorted values of many spans touch few pages of the store. */
const SPANS_MIN = 10
const SPANS_MAX = 40
/** A row that is written later than this after its own time may be missing on pages with a filter. */
const AFTER_MS = 60_000
/** Steps are small, because SQLite can write nothing else during a step. */
const VALUES_BATCH_MAX = 1_000

/**
 * Stores the values of the rows of each span of the request log, so that a page with a filter reads only some spans. All
 * values of a span are written before the span itself. Returns the number of spans.
 */
export function closeSpans(input: {
  requestLog: Pick<RequestLogStore, 'readSpans' | 'writeSpanValues' | 'closeSpans'>
  clock: Clock
}): () => Promise<number> {
  const { requestLog, clock } = input
  return async () => {
    const beforeMs = clock.nowMs() - AFTER_MS
    const limits = { rows: SPAN_ROWS, spansMin: SPANS_MIN, spansMax: SPANS_MAX }
    const spans = await requestLog.readSpans({ beforeMs, ...limits })
    const values = spans
      .flatMap(({ id, values: found }) => found.map((value) => ({ value, spanId: id })))
      .toSorted((one, other) => one.value - other.value || one.spanId - other.spanId)
    for (let from = 0; from < values.length; from += VALUES_BATCH_MAX)
      await requestLog.writeSpanValues(values.slice(from, from + VALUES_BATCH_MAX))
    if (spans.length > 0) await requestLog.closeSpans(spans.map(({ values: _values, ...span }) => span))
    return spans.length
  }
}
