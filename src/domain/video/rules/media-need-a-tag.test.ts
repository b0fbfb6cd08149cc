import { describe, test } from 'vitest'
import { audio, expectRefused, image, V4, video } from '../../../../test/video/prepare.ts'

describe('omni-video: every media item needs a tag', () => {
  const known = [image('cat.png', { tag: 'cat' })]

  test.each([
    ['image', image('dog.png')],
    ['video', video('dog.mp4')],
    ['audio', audio('dog.mp3')],
  ])('400 for an %s', (_name, item) => {
    const wish = { model: V4, taskType: 'omni-video', content: [...known, item] }
    expectRefused(wish, 'missing_parameter', 'content[1].tag', 'omni-video')
  })
})
