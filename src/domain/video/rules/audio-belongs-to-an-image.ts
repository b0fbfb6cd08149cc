import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** An audio item is the voice of a character in an image, so its tag must name that image. A grid has no voice. */
export const audioBelongsToAnImage: VideoRule<TaskTypeContent> = ({ items }) => {
  const voices = new Set(mediaOf(items, 'image', 'image').map(({ tag }) => tag))
  const stray = mediaOf(items, 'audio').find(({ tag }) => !voices.has(tag))
  if (stray === undefined) return accept
  return reject(
    placeOf(stray, 'tag'),
    `${placeOf(stray, 'tag')} must be the tag of an image_url item with role image: audio belongs to an image.`,
    'unsupported_combination',
  )
}
