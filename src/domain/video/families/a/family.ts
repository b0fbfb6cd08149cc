import type { VideoUse } from '../../../billing/estimate-video-cost.ts'
import { splitModelName } from '../../../catalog/model.ts'
import type { ContentItem, MediaKind, VideoRequest } from '../../request.ts'
import { audioNeedsAVisual } from '../../rules/audio-needs-a-visual.ts'
import { type Content, checkRules, type Rule } from '../../rules/rule.ts'
import { defineFamily } from '../family.ts'
import { orderOptions } from '../order-options.ts'
import type { FamilyAItem, FamilyAOrder } from './order.ts'

const RULES: readonly Rule<Content>[] = [audioNeedsAVisual]

/** Takes the content as it comes; only roles it knows go along. */
export const familyA = defineFamily({
  priceUnit: 'video_token',
  takesNotices: true,
  canDelete: true,
  showsRealPeople: true,
  unusedFields: ['task_type'],
  models: { 'vendorA/gen-2.0': {}, 'vendorA/gen-2.0-fast': {} },
  prepare(request) {
    checkRules(RULES, { items: request.items })
    const order: FamilyAOrder = {
      family: 'a',
      model: splitModelName(request.model).model,
      items: request.items.map(toOrderItem),
      options: orderOptions(request),
    }
    return { order, use: useOf(request) }
  },
})

function toOrderItem(item: ContentItem): FamilyAItem {
  if (item.kind === 'text') return { kind: 'text', text: item.text }
  const { kind, url, role } = item
  return { kind, url, role: role === ROLES[kind] ? role : undefined }
}

const ROLES: Readonly<Record<MediaKind, string>> = {
  image: 'reference_image',
  video: 'reference_video',
  audio: 'reference_audio',
}

/** Each video reference is paid for by its length, which is not known before the vendor has fetched it. */
function useOf({
  items,
  resolution,
  ratio,
  durationSeconds,
  generateAudio,
}: VideoRequest): Omit<VideoUse, 'unit'> {
  return {
    resolution,
    ratio,
    seconds: durationSeconds,
    referenceSeconds: items.filter(({ kind }) => kind === 'video').map(() => null),
    audio: generateAudio ?? false,
  }
}
