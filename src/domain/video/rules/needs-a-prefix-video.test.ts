import { test } from 'vitest'
import { expectRefused, text, V3, video } from '../../../../test/video/prepare.ts'

test.each([
  ['extension', 'no video', []],
  ['extension', 'a video without a role', [video('street.mp4')]],
  ['cutshot', 'no video', []],
  ['cutshot', 'a video without a role', [video('street.mp4')]],
])('%s: 400 with %s', (taskType, _name, videos) => {
  const content = [text('go on'), text('jump', 'cut_type'), ...videos]
  expectRefused({ model: V3, taskType, content }, 'missing_parameter', 'content', taskType, 'prefix_video')
})
