import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** The vendor has room for one video. */
export const oneVideoAtMost: Rule<TaskTypeContent> = ({ items, taskType }) => {
  const second = mediaOf(items, 'video')[1]
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'type'),
    `${taskType} takes only one video_url item. Leave the others out.`,
    'unsupported_combination',
  )
}
