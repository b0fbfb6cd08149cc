import type { FamilyAModel } from '../models.ts'
import type { FamilyAItem, FamilyAOrder } from '../order.ts'
import { orderOptions } from '../order-options.ts'
import type { ContentItem, MediaKind, VideoRequest } from '../request.ts'
import { FAMILY_A_RULES } from '../rules/index.ts'
import { checkRules } from '../rules/rule.ts'

/** Family A takes the content as it comes; only roles it knows go along. */
export function prepareFamilyAOrder(request: VideoRequest, { model }: FamilyAModel): FamilyAOrder {
  checkRules(FAMILY_A_RULES, { items: request.items })
  return { family: 'a', model, items: request.items.map(toOrderItem), options: orderOptions(request) }
}

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
