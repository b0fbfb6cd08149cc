import type { QuoteView } from '../../../app/video/quote-task.ts'
import { DEFAULT_RESOLUTION, estimateVideoSeconds } from '../../../domain/billing/estimate-video-tokens.ts'
import type { ContentItem } from '../../../domain/video/request.ts'

export function presentQuote(quote: QuoteView) {
  const { unit, quantity, priceMicros: unitMicros } = quote.terms
  return {
    object: 'video.quote',
    quote_id: quote.quoteId,
    expires_at: Math.floor(quote.expiresAtMs / 1_000),
    order: presentOrder(quote),
    price_micros: quote.priceMicros,
    max_micros: quote.maxMicros,
    parts: [{ unit, quantity, usd: unitMicros / 1_000_000, micros: quote.priceMicros }],
  }
}

/** In the words of a create call. What its vendor has no use for is left out. */
function presentOrder({ request, placed, expiresAfterSeconds }: QuoteView) {
  const { order, use, family } = placed
  const fields = {
    model: request.model,
    content: request.items.map(presentItem),
    task_type: order.family === 'b' ? order.work.taskType : undefined,
    duration: estimateVideoSeconds(use),
    ratio: use.ratio ?? '16:9',
    resolution: use.resolution ?? DEFAULT_RESOLUTION,
    generate_audio: use.audio,
    seed: request.seed,
    framespersecond: request.framesPerSecond,
    draft: request.draft,
    service_tier: request.serviceTier,
    execution_expires_after: expiresAfterSeconds,
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !family.unusedFields.includes(name)))
}

function presentItem(item: ContentItem) {
  if (item.kind === 'text') return { type: 'text', text: item.text, role: item.role }
  const type = `${item.kind}_url`
  const { role, tag, timeStampSeconds } = item
  return { type, [type]: { url: item.url }, role, tag, time_stamp: timeStampSeconds }
}
