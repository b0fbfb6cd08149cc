import { test } from 'vitest'
import { expectRefused, text, V3, V4, video } from '../../../../test/video/prepare.ts'

test('omni-video: 400 for a second video reference', () => {
  const content = [video('1.mp4', { tag: 'a' }), text('a cat'), video('2.mp4', { tag: 'b' })]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[2].type', 'only one video_url')
})

test.each([
  ['extension', text('go on')],
  ['cutshot', text('jump', 'cut_type')],
  ['restyling', text('ink', 'style_name')],
])('%s: 400 for a second video', (taskType, item) => {
  const videos = ['1.mp4', '2.mp4'].map((name) => video(name, { role: 'prefix_video' }))
  const wish = { model: V3, taskType, content: [...videos, item] }
  expectRefused(wish, 'unsupported_combination', 'content[1].type', taskType)
})
