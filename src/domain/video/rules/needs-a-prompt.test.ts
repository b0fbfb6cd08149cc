import { expect, test } from 'vitest'
import { expectRefused, image, linkTo, text, V3, video, workOf } from '../../../../test/video/prepare.ts'

const prefix = video('street.mp4', { role: 'prefix_video' })

test('reference: 400 without text', () => {
  expectRefused(
    { model: V3, content: [image('cat.png')] },
    'missing_parameter',
    'content',
    'reference',
    'text',
  )
})

test('extension: 400 without text', () => {
  expectRefused({ model: V3, content: [prefix] }, 'missing_parameter', 'content', 'extension', 'text')
})

test('cutshot and restyling need no prompt', () => {
  expect(workOf({ model: V3, content: [prefix, text('jump', 'cut_type')] })).toEqual({
    taskType: 'cutshot',
    prompt: '',
    prefixVideo: linkTo('street.mp4'),
    cutType: 'jump',
  })
  expect(workOf({ model: V3, content: [prefix, text('ink', 'style_name')] }).taskType).toBe('restyling')
})
