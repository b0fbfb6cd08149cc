import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A grid is one picture of many views, so its tag can name no other picture. */
export const gridHasOneImage: VideoRule<TaskTypeContent> = ({ items }) => {
  const images = mediaOf(items, 'image')
  const gridTags = new Set(mediaOf(items, 'image', 'grid').map(({ tag }) => tag))
  const extra = images.find(
    ({ tag }, at) => gridTags.has(tag) && images.findIndex((other) => other.tag === tag) < at,
  )
  if (extra === undefined) return accept
  return reject(
    placeOf(extra, 'tag'),
    `A grid image must be the only image with its tag. Give ${placeOf(extra, 'tag')} another value.`,
    'unsupported_combination',
  )
}
