import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** An extended video continues from its own last picture. */
export const extendStandsWithoutImages: VideoRule<TaskTypeContent> = ({ items }) => {
  const extended = mediaOf(items, 'video', 'extend')[0]
  if (extended === undefined || mediaOf(items, 'image').length === 0) return accept
  return reject(
    placeOf(extended, 'role'),
    'A video with role extend cannot be combined with image references. Leave the images out, or use role reference.',
    'unsupported_combination',
  )
}
