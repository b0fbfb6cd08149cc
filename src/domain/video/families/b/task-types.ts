import type { MediaKind } from '../../request.ts'
import type { FamilyBVersion } from './model.ts'
import type { FamilyBWork } from './order.ts'

export type TaskType = FamilyBWork['taskType']

/** Roles that make a text a word of control, and no part of any prompt. */
export const SPECIAL_TEXT_ROLES = ['cut_type', 'style_name'] as const

export type SpecialTextRole = (typeof SPECIAL_TEXT_ROLES)[number]

/** What a task type is made of. */
export interface TaskTypeTraits {
  version: FamilyBVersion
  /** The media it takes; a kind that is not named here has no place in it. */
  media: Readonly<Partial<Record<MediaKind, MediaTraits>>>
  /** The role that sets one text item apart from the prompt. */
  textRole?: SpecialTextRole
}

export interface MediaTraits {
  /** Absent: a role means nothing here and is dropped. */
  roles?: readonly string[]
  /** What an item without a role is. */
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

/** For messages: `text-to-video, image-to-video, omni-video`. */
export function taskTypesOf(version: FamilyBVersion): string {
  return Object.entries(TASK_TYPES)
    .filter(([, traits]) => traits.version === version)
    .map(([name]) => name)
    .join(', ')
}
