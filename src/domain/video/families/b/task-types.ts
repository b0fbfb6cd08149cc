import type { MediaKind } from '../../request.ts'
import type { FamilyBVersion, FamilyBWork } from './order.ts'

export type TaskType = FamilyBWork['taskType']

/** Roles of texts that control the vendor and belong to no prompt. */
export const SPECIAL_TEXT_ROLES = ['cut_type', 'style_name'] as const

export type SpecialTextRole = (typeof SPECIAL_TEXT_ROLES)[number]

export interface TaskTypeTraits {
  version: FamilyBVersion
  /** Kinds that are not named here are refused. */
  media: Readonly<Partial<Record<MediaKind, MediaTraits>>>
  /** Role of a text item that is not part of the prompt; left out: the task type drops such an item. */
  textRole?: SpecialTextRole
}

export interface MediaTraits {
  /** Left out: roles have no meaning and are dropped. */
  roles?: readonly string[]
  defaultRole?: string
}

export const TASK_TYPES: Readonly<Record<TaskType, TaskTypeTraits>> = {
  'text-to-video': { version: 'v4', media: {} },
  'image-to-video': {
    version: 'v4',
    media: { image: { roles: ['first_frame', 'end_frame', 'mid_frame'], defaultRole: 'first_frame' } },
  },
  'omni-video': {
    version: 'v4',
    media: {
      image: { roles: ['image', 'grid'], defaultRole: 'image' },
      video: { roles: ['reference', 'extend'], defaultRole: 'reference' },
      audio: {},
    },
  },
  reference: { version: 'v3', media: { image: {} } },
  extension: { version: 'v3', media: { video: { roles: ['prefix_video'] } } },
  cutshot: { version: 'v3', media: { video: { roles: ['prefix_video'] } }, textRole: 'cut_type' },
  restyling: { version: 'v3', media: { video: {} }, textRole: 'style_name' },
}

export function isTaskType(name: string): name is TaskType {
  return Object.hasOwn(TASK_TYPES, name)
}

/** Names of the task types for messages: `text-to-video, image-to-video, omni-video`. */
export function taskTypesOf(version: FamilyBVersion): string {
  return Object.entries(TASK_TYPES)
    .filter(([, traits]) => traits.version === version)
    .map(([name]) => name)
    .join(', ')
}
