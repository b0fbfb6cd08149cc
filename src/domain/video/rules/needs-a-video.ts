import { mediaOf } from '../families/b/media-of.ts'
import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** There must be something to restyle. */
export const needsAVideo: Rule<TaskTypeContent> = ({ items, taskType }) =>
  mediaOf(items, 'video').length > 0
    ? accept
    : reject('content', `${taskType} needs a video_url item.`, 'missing_parameter')
