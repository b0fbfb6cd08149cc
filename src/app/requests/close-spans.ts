import type { Clock } from '../../ports/clock.ts'
import type { RequestLogStore } from '../../ports/request-log.ts'

/** Rows of a span: a page of rows that are all in other spans reads a hundred times as many. */
const SPAN_ROWS = 1_000
/** Spans are closed together, because the values of many, in their order, touch few pages of the store. */
const SPANS_MIN = 10
const SPANS_MAX = 40
/** A row that is written later than this after its time may be missing in a page with a filter. */
const AFTER_MS = 60_000
/** A small number, because SQLite writes nothing else meanwhile. */
const VALUES_AT_ONCE = 1_000

/**
 * Notes which values the rows of the request log have, so that a page with a filter reads only a part of them. Spans
 * become known after all of their values. Returns the number of spans.
 */
export function closeSpans({
  requestLog,
  clock,
}: {
  requestLog: Pick<RequestLogStore, 'readSpans' | 'writeSpanValues' | 'closeSpans'>
  clock: Clock
}): () => Promise<number> {
  return async () => {
    const beforeMs = clock.nowMs() - AFTER_MS
    const limits = { rows: SPAN_ROWS, spansMin: SPANS_MIN, spansMax: SPANS_MAX }
    const spans = await requestLog.readSpans({ beforeMs, ...limits })
    const values = spans
      .flatMap(({ id, values: found }) => found.map((value) => ({ value, spanId: id })))
      .toSorted((one, other) => one.value - other.value || one.spanId - other.spanId)
    for (let from = 0; from < values.length; from += VALUES_AT_ONCE)
      await requestLog.writeSpanValues(values.slice(from, from + VALUES_AT_ONCE))
    if (spans.length > 0) await requestLog.closeSpans(spans.map(({ values: _values, ...span }) => span))
    return spans.length
  }
}
