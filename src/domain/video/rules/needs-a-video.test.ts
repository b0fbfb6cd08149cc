import { test } from 'vitest'
import { expectRefused, text, V3 } from '../../../../test/video/prepare.ts'

test('restyling: 400 without a video_url', () => {
  const body = { model: V3, task_type: 'restyling', content: [text('ink', 'style_name')] }
  expectRefused(body, 'missing_parameter', 'content', 'video_url')
})
