import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A video begins once and ends once. */
export const endFramesComeOnce: VideoRule<TaskTypeContent> = ({ items }) => {
  const second = ['first_frame', 'end_frame']
    .map((role) => items.filter((item) => item.role === role)[1])
    .find((item) => item !== undefined)
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'role'),
    `There can be only one ${second.role}; an image without a role counts as first_frame. Give this one another role: there may be several mid_frame items.`,
    'unsupported_combination',
  )
}
