import type { ContentItem } from '../../request.ts'
import type { FamilyBVersion } from './model.ts'
import type { TaskType } from './task-types.ts'

/** What the content is meant for when the client does not say; undefined: it fits no task type of the version. */
export function inferTaskType(items: readonly ContentItem[], version: FamilyBVersion): TaskType | undefined {
  return version === 'v4' ? inferV4(items) : inferV3(items)
}

/** Images may go with a video or a sound, so these decide first. */
function inferV4(items: readonly ContentItem[]): TaskType {
  if (has(items, 'video') || has(items, 'audio')) return 'omni-video'
  return has(items, 'image') ? 'image-to-video' : 'text-to-video'
}

/** A special text says more than the video it comes with, so the task types that need one are tried first. */
function inferV3(items: readonly ContentItem[]): TaskType | undefined {
  const hasPrefix = has(items, 'video', 'prefix_video')
  if (hasPrefix && has(items, 'text', 'cut_type')) return 'cutshot'
  if (has(items, 'video') && has(items, 'text', 'style_name')) return 'restyling'
  if (hasPrefix) return 'extension'
  return has(items, 'image') && !has(items, 'video') ? 'reference' : undefined
}

function has(items: readonly ContentItem[], kind: ContentItem['kind'], role?: string): boolean {
  return items.some((item) => item.kind === kind && (role === undefined || item.role === role))
}
