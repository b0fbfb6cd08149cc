import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** The vendor takes one video. */
export const oneVideoAtMost: VideoRule<TaskTypeContent> = ({ items, taskType }) => {
  const second = mediaOf(items, 'video')[1]
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'type'),
    `${taskType} takes only one video_url item. Leave the others out.`,
    'unsupported_combination',
  )
}
