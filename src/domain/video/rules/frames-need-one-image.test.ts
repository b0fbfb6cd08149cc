import { test } from 'vitest'
import { expectRefused, text, V4 } from '../../../../test/video/prepare.ts'

test('image-to-video: 400 when none of first_frame, end_frame, mid_frame is present', () => {
  const content = [text('a cat')]
  const body = { model: V4, task_type: 'image-to-video', content }
  expectRefused(body, 'missing_parameter', 'content', 'first_frame', 'end_frame', 'mid_frame')
})
