import type { FamilyAItem, FamilyAOrder } from '../../../domain/video/families/a/order.ts'
import type { ContentPart, CreateBody } from './wire.ts'

/** Adds no defaults to the options of the order, because a default of ours would change the video and its price. */
export function toCreateBody(input: {
  order: FamilyAOrder
  upstreamModel: string
  expiresAfterSeconds: number
  noticeUrl: string | undefined
}): CreateBody {
  const { order, upstreamModel, expiresAfterSeconds, noticeUrl } = input
  const { items, options } = order
  return {
    model: upstreamModel,
    content: items.map(toContentPart),
    ratio: options.ratio,
    resolution: options.resolution,
    duration: options.durationSeconds,
    seed: options.seed,
    framespersecond: options.framesPerSecond,
    generate_audio: options.generateAudio,
    draft: options.draft,
    service_tier: options.serviceTier,
    watermark: options.watermark,
    return_last_frame: options.returnLastFrame,
    execution_expires_after: expiresAfterSeconds,
    callback_url: noticeUrl,
  }
}

function toContentPart(item: FamilyAItem): ContentPart {
  switch (item.kind) {
    case 'text':
      return { type: 'text', text: item.text }
    case 'image':
      return { type: 'image_url', image_url: { url: item.url }, role: item.role }
    case 'video':
      return { type: 'video_url', video_url: { url: item.url }, role: item.role }
    case 'audio':
      return { type: 'audio_url', audio_url: { url: item.url }, role: item.role }
  }
}
