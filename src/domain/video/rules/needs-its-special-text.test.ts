import { describe, expect, test } from 'vitest'
import { expectRefused, text, V3, video, workOf } from '../../../../test/video/prepare.ts'

const prefix = video('street.mp4', { role: 'prefix_video' })

describe.each([
  ['cutshot', 'cut_type'],
  ['restyling', 'style_name'],
])('%s', (task_type, role) => {
  test.each([
    ['no text', []],
    ['a text without the role', [text('go on')]],
    ['a text with another role', [text('go on', task_type === 'cutshot' ? 'style_name' : 'cut_type')]],
    ['an empty text', [text('  ', role)]],
  ])('400 with %s', (_name, texts) => {
    const body = { model: V3, task_type, content: [prefix, ...texts] }
    expectRefused(body, 'missing_parameter', 'content', task_type, role)
  })

  test('400 with two of them', () => {
    const body = { model: V3, task_type, content: [text('a', role), prefix, text('b', role)] }
    expectRefused(body, 'unsupported_combination', 'content[2].role', role)
  })

  test('one is accepted, its blanks trimmed', () => {
    const name = task_type === 'cutshot' ? 'cutType' : 'styleName'
    expect(workOf({ model: V3, task_type, content: [prefix, text(' x ', role)] })).toMatchObject({
      [name]: 'x',
    })
  })
})
