import { mediaOf } from '../families/b/media-of.ts'
import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** What is made goes on from this video. */
export const needsAPrefixVideo: Rule<TaskTypeContent> = ({ items, taskType }) =>
  mediaOf(items, 'video', 'prefix_video').length > 0
    ? accept
    : reject('content', `${taskType} needs a video_url item with role prefix_video.`, 'missing_parameter')
