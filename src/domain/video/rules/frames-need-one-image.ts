import { accept, type Rule, reject, type TaskTypeContent } from './rule.ts'

/** There is no image-to-video without an image. */
export const framesNeedOneImage: Rule<TaskTypeContent> = ({ items }) =>
  items.some(({ kind }) => kind === 'image')
    ? accept
    : reject(
        'content',
        'image-to-video needs at least one image_url item: a first_frame, an end_frame or a mid_frame.',
        'missing_parameter',
      )
