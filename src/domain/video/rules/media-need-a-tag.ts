import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** The prompt of an omni-video names its media by their tags. */
export const mediaNeedATag: VideoRule<TaskTypeContent> = ({ items }) => {
  const untagged = items.find((item) => item.kind !== 'text' && item.tag === undefined)
  if (untagged === undefined) return accept
  return reject(
    placeOf(untagged, 'tag'),
    `${placeOf(untagged, 'tag')} is required: every media item of omni-video needs a tag.`,
    'missing_parameter',
  )
}
