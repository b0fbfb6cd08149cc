import { DEFAULT_RESOLUTION, estimateVideoSeconds } from '../../domain/billing/estimate-video-tokens.ts'
import type { ContentItem, VideoRequest } from '../../domain/video/request.ts'
import type { PlacedOrder } from '../video/place-order.ts'

/** Presents an order with the fields of a create call and the defaults that its price assumes, without unused fields. */
export function orderJson(
  input: Pick<PlacedOrder, 'order' | 'use' | 'family'> & {
    request: VideoRequest
    expiresAfterSeconds: number
  },
  presentItem: (item: ContentItem) => object,
): object {
  const { request, order, use, family, expiresAfterSeconds } = input
  const fields = {
    model: request.alias ?? request.model,
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
    watermark: ('options' in order ? order.options.watermark : undefined) ?? request.watermark,
    return_last_frame: request.returnLastFrame,
    execution_expires_after: expiresAfterSeconds,
  }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !family.unusedFields.includes(name)))
}
