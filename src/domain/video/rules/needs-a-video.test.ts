import { test } from 'vitest'
import { expectRefused, text, V3 } from '../../../../test/video/prepare.ts'

test('restyling: 400 without a video_url', () => {
  const wish = { model: V3, taskType: 'restyling', content: [text('ink', 'style_name')] }
  expectRefused(wish, 'missing_parameter', 'content', 'video_url')
})
