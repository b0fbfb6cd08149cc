import { TASK_TYPES } from '../families/b/task-types.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** Media that are dropped silently would change the video and its price. */
export const mediaFitTheTaskType: VideoRule<TaskTypeContent> = ({ items, taskType }) => {
  const { media } = TASK_TYPES[taskType]
  const stranger = items.find((item) => item.kind !== 'text' && media[item.kind] === undefined)
  if (stranger === undefined) return accept
  const taken = ['text', ...Object.keys(media).map((kind) => `${kind}_url`)].join(' and ')
  return reject(
    placeOf(stranger, 'type'),
    `${taskType} takes no ${stranger.kind}_url items, only ${taken}.`,
    'unsupported_combination',
  )
}
