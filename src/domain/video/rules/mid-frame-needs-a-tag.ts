import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** The vendor identifies frames in the middle by their tags. */
export const midFrameNeedsATag: VideoRule<TaskTypeContent> = ({ items }) => {
  const untagged = items.find(
    (item) => item.role === 'mid_frame' && item.kind !== 'text' && item.tag === undefined,
  )
  if (untagged === undefined) return accept
  return reject(
    placeOf(untagged, 'tag'),
    `${placeOf(untagged, 'tag')} is required: a mid_frame image needs a tag.`,
    'missing_parameter',
  )
}
