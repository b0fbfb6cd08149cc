import type { ContentItem } from '../../domain/video/request.ts'
import type { QuoteView } from '../video/quote-task.ts'
import { orderJson } from './order.ts'

export function quoteJson(quote: QuoteView) {
  const { unit, quantity, priceMicros: unitMicros } = quote.terms
  return {
    object: 'video.quote',
    quote_id: quote.quoteId,
    expires_at: Math.floor(quote.expiresAtMs / 1_000),
    order: orderJson({ ...quote.placed, ...quote }, itemJson),
    price_micros: quote.priceMicros,
    max_micros: quote.maxMicros,
    parts: [{ unit, quantity, usd: unitMicros / 1_000_000, micros: quote.priceMicros }],
  }
}

function itemJson(item: ContentItem) {
  if (item.kind === 'text') return { type: 'text', text: item.text, role: item.role }
  const type = `${item.kind}_url`
  const { role, tag, timeStampSeconds } = item
  return { type, [type]: { url: item.url }, role, tag, time_stamp: timeStampSeconds }
}
