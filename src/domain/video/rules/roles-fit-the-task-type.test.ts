import { test } from 'vitest'
import { expectRefused, image, text, V3, V4, video } from '../../../../test/video/prepare.ts'

test.each([
  [V4, 'image-to-video', image('cat.png', { role: 'reference_image' }), 'first_frame, end_frame, mid_frame'],
  [V4, 'image-to-video', image('cat.png', { role: 'grid' }), 'role of an image_url item'],
  [V4, 'omni-video', image('cat.png', { role: 'first_frame', tag: 'a' }), 'image, grid'],
  [V4, 'omni-video', video('cat.mp4', { role: 'reference_video', tag: 'a' }), 'reference, extend'],
  [V3, 'extension', video('cat.mp4', { role: 'suffix_video' }), 'role of a video_url item'],
  [V3, 'cutshot', video('cat.mp4', { role: 'video' }), 'prefix_video'],
])('400 for %s %s with a role it does not know', (model, taskType, item, roles) => {
  const content = [text('a cat'), item]
  expectRefused({ model, taskType, content }, 'invalid_parameter', 'content[1].role', taskType, roles)
})
