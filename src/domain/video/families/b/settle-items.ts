import type { ContentItem } from '../../request.ts'
import { SPECIAL_TEXT_ROLES, TASK_TYPES, type TaskType } from './task-types.ts'

/**
 * The items as the task type reads them: default roles filled in, roles without a meaning dropped, tags with `@`.
 * A special text of another task type is dropped whole: the name of a style read out as a prompt would change the video.
 */
export function settleItems(items: readonly ContentItem[], taskType: TaskType): ContentItem[] {
  const { media, textRole } = TASK_TYPES[taskType]
  return items.flatMap((item): ContentItem[] => {
    if (item.kind === 'text') {
      const special = SPECIAL_TEXT_ROLES.find((role) => role === item.role)
      return special === undefined || special === textRole ? [{ ...item, role: special }] : []
    }
    const { roles, defaultRole } = media[item.kind] ?? {}
    const role = roles === undefined ? undefined : (item.role ?? defaultRole)
    return [{ ...item, role, tag: withAtSign(item.tag) }]
  })
}

/** The vendor's prompts call media by `@name`. */
function withAtSign(tag: string | undefined): string | undefined {
  return tag === undefined || tag.startsWith('@') ? tag : `@${tag}`
}
