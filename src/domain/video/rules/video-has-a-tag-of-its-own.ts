import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A tag in a prompt must name either the video or the images. */
export const videoHasATagOfItsOwn: VideoRule<TaskTypeContent> = ({ items }) => {
  const imageTags = new Set(mediaOf(items, 'image').map(({ tag }) => tag))
  const shared = mediaOf(items, 'video').find(({ tag }) => imageTags.has(tag))
  if (shared === undefined) return accept
  return reject(
    placeOf(shared, 'tag'),
    `A video and an image cannot have the same tag. Give ${placeOf(shared, 'tag')} another value.`,
    'unsupported_combination',
  )
}
