import type { VideoUse } from '../../../billing/estimate-video-cost.ts'
import { splitModelName } from '../../../catalog/model.ts'
import type { ContentItem, MediaKind, VideoRequest } from '../../request.ts'
import { audioNeedsAVisual } from '../../rules/audio-needs-a-visual.ts'
import { checkRules, type VideoContent, type VideoRule } from '../../rules/rule.ts'
import { defineFamily } from '../family.ts'
import { orderOptions } from '../order-options.ts'
import type { FamilyAItem, FamilyAOrder } from './order.ts'

const RULES: readonly VideoRule<VideoContent>[] = [audioNeedsAVisual]

/** The family takes any content but audio without a visual; only known roles are forwarded. */
export const familyA = defineFamily({
  priceUnit: 'video_token',
  takesNotices: true,
  canDelete: true,
  showsRealPeople: true,
  bounds: { duration: [4, 30] },
  unusedFields: ['task_type'],
  modes: ['text-to-video', 'image-to-video', 'video-to-video', 'audio-driven'],
  models: { 'vendorA/gen-2.0': {}, 'vendorA/gen-2.0-fast': {} },
  prepare(request) {
    checkRules(RULES, { items: request.items })
    const order: FamilyAOrder = {
      family: 'a',
      model: splitModelName(request.model).model,
      items: request.items.map((item) => toOrderItem(item, request)),
      options: orderOptions(request),
    }
    return { order, use: useOf(request), mode: modeOf(request) }
  },
})

/** Sound comes with a picture or a video, and a video may come with pictures, so the rarer kind decides. */
function modeOf({ items }: VideoRequest): string {
  const has = (kind: MediaKind) => items.some((item) => item.kind === kind)
  if (has('audio')) return 'audio-driven'
  if (has('video')) return 'video-to-video'
  return has('image') ? 'image-to-video' : 'text-to-video'
}

function toOrderItem(item: ContentItem, request: Pick<VideoRequest, 'keepsFrameRoles'>): FamilyAItem {
  const { keepsFrameRoles } = request
  if (item.kind === 'text') return { kind: 'text', text: item.text }
  const { kind, url, role } = item
  const isFrame = keepsFrameRoles && kind === 'image' && FRAME_ROLES.some((frame) => frame === role)
  return { kind, url, role: role === ROLES[kind] || isFrame ? role : undefined }
}

const FRAME_ROLES = ['first_frame', 'last_frame']

const ROLES: Readonly<Record<MediaKind, string>> = {
  image: 'reference_image',
  video: 'reference_video',
  audio: 'reference_audio',
}

/** Each video reference is charged by its length, which is unknown before the vendor has fetched it. */
function useOf(input: VideoRequest): Omit<VideoUse, 'unit'> {
  const { items, resolution, ratio, durationSeconds, generateAudio } = input
  return {
    resolution,
    ratio,
    seconds: durationSeconds,
    referenceSeconds: items.filter(({ kind }) => kind === 'video').map(() => null),
    audio: generateAudio ?? false,
  }
}
