import type { ContentItem } from '../../request.ts'
import { assured } from './assured.ts'
import { buildOmniVideo } from './build-omni-video.ts'
import { mediaOf } from './media-of.ts'
import type { FamilyBWork } from './order.ts'
import { promptOf } from './prompt-of.ts'
import type { TaskType } from './task-types.ts'

/** Settled items that have passed the rules of their task type, in the shape the order has for it. */
export function buildWork(taskType: TaskType, items: readonly ContentItem[]): FamilyBWork {
  return BUILDERS[taskType](items)
}

const BUILDERS: Readonly<Record<TaskType, (items: readonly ContentItem[]) => FamilyBWork>> = {
  'text-to-video': (items) => ({ taskType: 'text-to-video', prompt: promptOf(items) }),
  'image-to-video': (items) => ({
    taskType: 'image-to-video',
    prompt: promptOf(items),
    firstFrame: mediaOf(items, 'image', 'first_frame')[0]?.url,
    endFrame: mediaOf(items, 'image', 'end_frame')[0]?.url,
    midFrames: mediaOf(items, 'image', 'mid_frame').map(({ tag, url, timeStampSeconds }) => ({
      tag: assured(tag),
      url,
      timeStampSeconds: timeStampSeconds === undefined ? undefined : Math.trunc(timeStampSeconds),
    })),
  }),
  'omni-video': buildOmniVideo,
  reference: (items) => ({
    taskType: 'reference',
    prompt: promptOf(items),
    images: mediaOf(items, 'image').map(({ url }) => url),
  }),
  extension: (items) => ({
    taskType: 'extension',
    prompt: promptOf(items),
    prefixVideo: assured(mediaOf(items, 'video')[0]).url,
  }),
  cutshot: (items) => ({
    taskType: 'cutshot',
    prompt: promptOf(items),
    prefixVideo: assured(mediaOf(items, 'video')[0]).url,
    cutType: specialText(items),
  }),
  restyling: (items) => ({
    taskType: 'restyling',
    videoUrl: assured(mediaOf(items, 'video')[0]).url,
    styleName: specialText(items),
  }),
}

/** Trimmed: it is a name that the vendor looks up. */
function specialText(items: readonly ContentItem[]): string {
  const item = items.find(({ kind, role }) => kind === 'text' && role !== undefined)
  return assured(item?.kind === 'text' ? item.text : undefined).trim()
}
