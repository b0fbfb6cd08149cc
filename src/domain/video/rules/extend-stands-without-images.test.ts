import { expect, test } from 'vitest'
import { expectRefused, image, text, V4, video, workOf } from '../../../../test/video/prepare.ts'

const extended = video('street.mp4', { role: 'extend', tag: 'street' })

test.each(['image', 'grid'])('omni-video: 400 for extend together with an image of role %s', (role) => {
  const content = [image('cat.png', { role, tag: 'cat' }), extended]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[1].role', 'extend')
})

test('omni-video: extend alone, and a reference with images, are allowed', () => {
  expect(workOf({ model: V4, content: [text('go on'), extended] })).toMatchObject({
    video: { type: 'extend' },
  })
  const content = [image('cat.png', { tag: 'cat' }), video('street.mp4', { tag: 'street' })]
  expect(workOf({ model: V4, content })).toMatchObject({
    video: { type: 'reference' },
    images: { length: 1 },
  })
})
