import { test } from 'vitest'
import { expectRefused, image, V4 } from '../../../../test/video/prepare.ts'

test('image-to-video: 400 for a mid_frame without a tag', () => {
  const content = [image('first.png'), image('mid.png', { role: 'mid_frame' })]
  expectRefused({ model: V4, content }, 'missing_parameter', 'content[1].tag', 'mid_frame')
})
