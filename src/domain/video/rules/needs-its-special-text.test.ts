import { describe, expect, test } from 'vitest'
import { expectRefused, text, V3, video, workOf } from '../../../../test/video/prepare.ts'

const prefix = video('street.mp4', { role: 'prefix_video' })

describe.each([
  ['cutshot', 'cut_type'],
  ['restyling', 'style_name'],
])('%s', (taskType, role) => {
  test.each([
    ['no text', []],
    ['a text without the role', [text('go on')]],
    ['a text with another role', [text('go on', taskType === 'cutshot' ? 'style_name' : 'cut_type')]],
  ])('400 with %s', (_name, texts) => {
    const wish = { model: V3, taskType, content: [prefix, ...texts] }
    expectRefused(wish, 'missing_parameter', 'content', taskType, role)
  })

  test('400 with two texts of the role', () => {
    const wish = { model: V3, taskType, content: [text('a', role), prefix, text('b', role)] }
    expectRefused(wish, 'unsupported_combination', 'content[2].role', role)
  })

  test('one text of the role is accepted, and trimmed', () => {
    const name = taskType === 'cutshot' ? 'cutType' : 'styleName'
    expect(workOf({ model: V3, taskType, content: [prefix, text(' x ', role)] })).toMatchObject({
      [name]: 'x',
    })
  })
})
