import { mediaOf } from '../families/b/media-of.ts'
import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

const IMAGES_MAX = 4

export const referenceTakesOneToFourImages: VideoRule<TaskTypeContent> = ({ items }) => {
  const { length } = mediaOf(items, 'image')
  if (length >= 1 && length <= IMAGES_MAX) return accept
  return reject(
    'content',
    `reference needs 1 to ${IMAGES_MAX} image_url items; there are ${length}.`,
    length === 0 ? 'missing_parameter' : 'invalid_parameter',
  )
}
