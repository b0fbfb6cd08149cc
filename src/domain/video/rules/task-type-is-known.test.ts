import { expect, test } from 'vitest'
import { A, expectRefused, prepare, text, V3, V4, workOf } from '../../../../test/video/prepare.ts'

const content = [text('a cat')]

test.each([
  [V4, 'text-to-image', 'text-to-video, image-to-video, omni-video'],
  [V4, 'Text-To-Video', 'text-to-video'],
  [V4, 'toString', 'text-to-video'],
  [V3, 'restyle', 'reference, extension, cutshot, restyling'],
])('400 for %s with task_type %s', (model, task_type, words) => {
  expectRefused({ model, task_type, content }, 'invalid_parameter', 'task_type', words)
})

test.each(['', '  ', null])('a task_type of %j is inferred', (task_type) => {
  expect(workOf({ model: V4, task_type, content }).taskType).toBe('text-to-video')
})

test.each(['nonsense', 'x'.repeat(200), 7, {}, ['reference'], true])(
  'task_type is not used for family A: %j',
  (task_type) => {
    expect(prepare({ model: A, task_type, content }).family).toBe('a')
  },
)
