import type { ContentItem, MediaItem } from '../../request.ts'
import { mediaOf, promptOf } from './media-of.ts'
import type { FamilyBWork, OmniImage, OmniVideo } from './order.ts'
import type { TaskType } from './task-types.ts'

/** Builds the work of an order from normalized items that have passed the rules of their task type. */
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

/** The text is trimmed, because the vendor looks up the name. */
function specialText(items: readonly ContentItem[]): string {
  const item = items.find(({ kind, role }) => kind === 'text' && role !== undefined)
  return assured(item?.kind === 'text' ? item.text : undefined).trim()
}

function buildOmniVideo(items: readonly ContentItem[]): FamilyBWork {
  return {
    taskType: 'omni-video',
    prompt: promptOf(items),
    images: omniImages(items),
    video: mediaOf(items, 'video').map(toOmniVideo)[0],
  }
}

/** Images with one tag are one reference; tags keep the order in which they first appear. */
function omniImages(items: readonly ContentItem[]): OmniImage[] {
  const byTag = Map.groupBy(mediaOf(items, 'image'), ({ tag }) => assured(tag))
  const audios = mediaOf(items, 'audio')
  return [...byTag].map(([tag, images]) => ({
    tag,
    type: images.some(({ role }) => role === 'grid') ? 'grid' : 'image',
    urls: images.map(({ url }) => url),
    audioUrl: audios.find((audio) => audio.tag === tag)?.url,
  }))
}

function toOmniVideo({ tag, role, url }: MediaItem): OmniVideo {
  return { tag: assured(tag), type: role === 'extend' ? 'extend' : 'reference', url }
}

/** Asserts a value that a rule guarantees. A missing value means that a rule is missing from its list. */
function assured<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('A video rule let something through that an order needs.')
  return value
}
