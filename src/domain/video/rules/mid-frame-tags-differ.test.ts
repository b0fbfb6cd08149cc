import { expect, test } from 'vitest'
import { expectRefused, image, V4, workOf } from '../../../../test/video/prepare.ts'

test.each(['cat', '@cat'])('image-to-video: 400 for a second mid_frame with tag %j', (tag) => {
  const content = [
    image('first.png', { tag: 'cat' }),
    image('1.png', { role: 'mid_frame', tag: 'cat' }),
    image('2.png', { role: 'mid_frame', tag }),
  ]
  expectRefused({ model: V4, content }, 'unsupported_combination', 'content[2].tag', 'mid_frame')
})

test('image-to-video: the tag of a first frame has no meaning, so a mid_frame may repeat it', () => {
  const content = [image('first.png', { tag: 'cat' }), image('1.png', { role: 'mid_frame', tag: 'cat' })]
  expect(workOf({ model: V4, content })).toMatchObject({ midFrames: [{ tag: '@cat' }] })
})
