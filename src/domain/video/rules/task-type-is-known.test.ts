import { expect, test } from 'vitest'
import { A, expectRefused, prepare, text, V3, V4, workOf } from '../../../../test/video/prepare.ts'

const content = [text('a cat')]

test.each([
  [V4, 'text-to-image', 'text-to-video, image-to-video, omni-video'],
  [V4, 'Text-To-Video', 'text-to-video'],
  [V4, 'toString', 'text-to-video'],
  [V3, 'restyle', 'reference, extension, cutshot, restyling'],
])('400 for %s with task_type %s', (model, taskType, words) => {
  expectRefused({ model, taskType, content }, 'invalid_parameter', 'task_type', words)
})

test('a task_type that is not given is inferred', () => {
  expect(workOf({ model: V4, content }).taskType).toBe('text-to-video')
})

test.each(['nonsense', 'x'.repeat(200), 'reference'])(
  'task_type is not used for family A: %j',
  (taskType) => {
    expect(prepare({ model: A, taskType, content }).family).toBe('a')
  },
)
