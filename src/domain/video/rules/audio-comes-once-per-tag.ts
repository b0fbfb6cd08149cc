import { mediaOf } from '../families/b/media-of.ts'
import { accept, placeOf, reject, type TaskTypeContent, type VideoRule } from './rule.ts'

/** A character has one voice: the vendor takes one audio item for each tag. */
export const audioComesOncePerTag: VideoRule<TaskTypeContent> = ({ items }) => {
  const audios = mediaOf(items, 'audio')
  const second = audios.find(({ tag }, at) => audios.findIndex((other) => other.tag === tag) < at)
  if (second === undefined) return accept
  return reject(
    placeOf(second, 'tag'),
    'Only one audio_url item can have the same tag. Leave the others out.',
    'unsupported_combination',
  )
}
