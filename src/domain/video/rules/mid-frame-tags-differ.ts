import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A tag in a prompt must name one image. */
export const midFrameTagsDiffer: VideoRule<TaskTypeContent> = ({ items }) => {
  const frames = mediaOf(items, 'image', 'mid_frame')
  const second = frames.find(({ tag }, at) => frames.findIndex((other) => other.tag === tag) < at)
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'tag'),
    `Every mid_frame image needs a tag of its own. Give ${placeOf(second, 'tag')} another value.`,
    'unsupported_combination',
  )
}
