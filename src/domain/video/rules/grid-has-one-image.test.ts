import { expect, test } from 'vitest'
import { expectRefused, image, V4, type Wish, workOf } from '../../../../test/video/prepare.ts'

const omni = (...content: Wish['content']) => ({ model: V4, taskType: 'omni-video', content })

test.each([
  ['two grids', { role: 'grid', tag: 'a' }, { role: 'grid', tag: 'a' }],
  ['a grid and an image', { role: 'grid', tag: 'a' }, { role: 'image', tag: 'a' }],
  ['an image and a grid', { tag: 'a' }, { role: 'grid', tag: '@a' }],
])('omni-video: 400 for %s with one tag', (_name, first, second) => {
  const wish = omni(image('1.png', first), image('2.png', second))
  expectRefused(wish, 'unsupported_combination', 'content[1].tag', 'grid')
})

test('omni-video: grids with different tags, and several images with one tag, are allowed', () => {
  const images = [
    image('1.png', { role: 'grid', tag: 'a' }),
    image('2.png', { role: 'grid', tag: 'b' }),
    image('3.png', { tag: 'c' }),
    image('4.png', { tag: 'c' }),
  ]
  expect(workOf(omni(...images))).toMatchObject({
    images: [{ type: 'grid' }, { type: 'grid' }, { type: 'image', urls: { length: 2 } }],
  })
})
