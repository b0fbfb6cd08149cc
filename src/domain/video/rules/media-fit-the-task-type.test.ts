import { test } from 'vitest'
import { audio, expectRefused, image, text, V3, V4, video } from '../../../../test/video/prepare.ts'

const picture = image('cat.png', { tag: 'cat' })
const film = video('cat.mp4', { role: 'prefix_video' })

test.each([
  [V4, 'text-to-video', picture, 'image_url', 'only text.'],
  [V4, 'image-to-video', film, 'video_url', 'text and image_url'],
  [V4, 'image-to-video', audio('cat.mp3'), 'audio_url', 'text and image_url'],
  [V3, 'reference', film, 'video_url', 'text and image_url'],
  [V3, 'reference', audio('cat.mp3'), 'audio_url', 'text and image_url'],
  [V3, 'extension', picture, 'image_url', 'text and video_url'],
  [V3, 'cutshot', picture, 'image_url', 'text and video_url'],
  [V3, 'restyling', picture, 'image_url', 'text and video_url'],
])('400 for %s %s with an item that it does not take', (model, taskType, item, type, taken) => {
  const content = [text('a cat'), item]
  expectRefused({ model, taskType, content }, 'unsupported_combination', 'content[1].type', type, taken)
})
