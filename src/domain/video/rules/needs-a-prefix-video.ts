import { mediaOf } from '../families/b/media-of.ts'
import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** The new video continues the prefix video. */
export const needsAPrefixVideo: VideoRule<TaskTypeContent> = ({ items, taskType }) =>
  mediaOf(items, 'video', 'prefix_video').length > 0
    ? accept
    : reject('content', `${taskType} needs a video_url item with role prefix_video.`, 'missing_parameter')
