import { accept, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

export const framesNeedOneImage: VideoRule<TaskTypeContent> = ({ items }) =>
  items.some(({ kind }) => kind === 'image')
    ? accept
    : reject(
        'content',
        'image-to-video needs at least one image_url item: a first_frame, an end_frame or a mid_frame.',
        'missing_parameter',
      )
