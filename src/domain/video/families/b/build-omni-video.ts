import type { ContentItem, MediaItem } from '../../request.ts'
import { assured } from './assured.ts'
import { mediaOf } from './media-of.ts'
import type { FamilyBWork, OmniImage, OmniVideo } from './order.ts'
import { promptOf } from './prompt-of.ts'

export function buildOmniVideo(items: readonly ContentItem[]): FamilyBWork {
  return {
    taskType: 'omni-video',
    prompt: promptOf(items),
    images: omniImages(items),
    video: mediaOf(items, 'video').map(toOmniVideo)[0],
  }
}

/** Images with one tag are one reference; tags stand in the order in which they first appear. */
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
