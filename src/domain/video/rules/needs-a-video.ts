import { mediaOf } from '../families/b/media-of.ts'
import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

export const needsAVideo: VideoRule<TaskTypeContent> = ({ items, taskType }) =>
  mediaOf(items, 'video').length > 0
    ? accept
    : reject('content', `${taskType} needs a video_url item.`, 'missing_parameter')
