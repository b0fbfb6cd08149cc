import { expect, test } from 'vitest'
import { expectRefused, image, V4, video, workOf } from '../../../../test/video/prepare.ts'

test.each(['image', 'grid'])('omni-video: 400 for a video with the tag of an image of role %s', (role) => {
  const content = [video('a.mp4', { tag: '@cat' }), image('a.png', { role, tag: 'cat' })]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[0].tag')
})

test('omni-video: a video beside images with other tags is allowed', () => {
  const content = [image('a.png', { tag: 'cat' }), video('a.mp4', { tag: 'street' })]
  expect(workOf({ model: V4, content })).toMatchObject({
    images: [{ tag: '@cat' }],
    video: { tag: '@street' },
  })
})
