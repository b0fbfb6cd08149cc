import { expect, test } from 'vitest'
import { audio, expectRefused, image, linkTo, V4, workOf } from '../../../../test/video/prepare.ts'

const images = [image('cat.png', { tag: 'cat' }), image('dog.png', { tag: 'dog' })]

test('omni-video: 400 for a second audio with the same tag', () => {
  const content = [...images, audio('1.mp3', { tag: 'cat' }), audio('2.mp3', { tag: '@cat' })]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[3].tag')
})

test('omni-video: each image tag may have its audio', () => {
  const content = [audio('1.mp3', { tag: 'dog' }), ...images, audio('2.mp3', { tag: '@cat' })]
  expect(workOf({ model: V4, content })).toMatchObject({
    images: [{ audioUrl: linkTo('2.mp3') }, { audioUrl: linkTo('1.mp3') }],
  })
})
