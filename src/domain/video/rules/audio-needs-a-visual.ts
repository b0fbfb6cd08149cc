import { accept, reject, type VideoContent, type VideoRule } from './rule.ts'

/** Audio sets the mood of a picture; alone it gives the model nothing to show. */
export const audioNeedsAVisual: VideoRule<VideoContent> = ({ items }) => {
  const hasAudio = items.some(({ kind }) => kind === 'audio')
  const hasVisual = items.some(({ kind }) => kind === 'image' || kind === 'video')
  if (!hasAudio || hasVisual) return accept
  return reject(
    'content',
    'Audio cannot be the only reference input. Add an image_url or a video_url item.',
    'unsupported_combination',
  )
}
