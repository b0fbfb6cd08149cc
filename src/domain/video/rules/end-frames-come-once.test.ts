import { expect, test } from 'vitest'
import { expectRefused, image, V4, workOf } from '../../../../test/video/prepare.ts'

test.each([
  ['two first frames', { role: 'first_frame' }, { role: 'first_frame' }],
  ['two images without a role', {}, {}],
  ['a first frame and an image without a role', { role: 'first_frame' }, {}],
])('image-to-video: 400 for %s', (_name, first, second) => {
  const content = [image('one.png', first), image('two.png', second)]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[1].role', 'first_frame')
})

test('image-to-video: 400 for two end frames', () => {
  const content = [
    image('0.png'),
    image('1.png', { role: 'end_frame' }),
    image('2.png', { role: 'end_frame' }),
  ]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[2].role', 'end_frame')
})

test('image-to-video: several mid frames are allowed', () => {
  const content = ['1', '2', '3'].map((name) => image(name, { role: 'mid_frame', tag: name }))
  expect(workOf({ model: V4, content })).toMatchObject({ midFrames: { length: 3 } })
})
