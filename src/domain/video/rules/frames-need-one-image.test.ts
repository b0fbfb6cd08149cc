import { test } from 'vitest'
import { expectRefused, text, V4 } from '../../../../test/video/prepare.ts'

test('image-to-video: 400 when none of first_frame, end_frame, mid_frame is present', () => {
  const content = [text('a cat')]
  const wish = { model: V4, taskType: 'image-to-video', content }
  expectRefused(wish, 'missing_parameter', 'content', 'first_frame', 'end_frame', 'mid_frame')
})
