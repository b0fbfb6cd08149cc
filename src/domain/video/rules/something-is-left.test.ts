import { describe, expect, test } from 'vitest'
import { expectRefused, text, V4, workOf } from '../../../../test/video/prepare.ts'

describe.each(['text-to-video', 'omni-video'])('%s', (taskType) => {
  test.each(['cut_type', 'style_name'])('400 when a text with role %s is the only content', (role) => {
    const content = [text('jump', role), text('ink', role)]
    expectRefused({ model: V4, taskType, content }, 'invalid_parameter', 'content', 'no valid item', role)
  })

  test('a prompt in addition is enough', () => {
    const content = [text('jump', 'cut_type'), text('a cat')]
    expect(workOf({ model: V4, taskType, content })).toMatchObject({ prompt: 'a cat' })
  })
})
