import { describe, test } from 'vitest'
import { expectRefused, image, text, V3, V4, V4_FAST, video } from '../../../../test/video/prepare.ts'

const content = [text('a cat'), image('cat.png'), video('cat.mp4', { role: 'prefix_video' })]

describe('V3 task types on a V4 model', () => {
  for (const model of [V4, V4_FAST]) {
    test.each(['reference', 'extension', 'cutshot', 'restyling'])(`400 for ${model} with %s`, (taskType) => {
      expectRefused({ model, taskType, content }, 'unsupported_combination', 'task_type', taskType)
    })
  }
})

describe('V4 task types on a V3 model', () => {
  test.each(['text-to-video', 'image-to-video', 'omni-video'])('400 with %s', (taskType) => {
    expectRefused({ model: V3, taskType, content }, 'unsupported_combination', 'task_type', taskType)
  })
})
