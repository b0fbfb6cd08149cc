import { describe, test } from 'vitest'
import { audio, expectRefused, image, V4, video } from '../../../../test/video/prepare.ts'

describe('omni-video: every media item needs a tag', () => {
  const known = [image('cat.png', { tag: 'cat' })]

  test.each([
    ['image', image('dog.png')],
    ['video', video('dog.mp4')],
    ['audio', audio('dog.mp3')],
    ['image with an empty tag', image('dog.png', { tag: '' })],
    ['video with a blank tag', video('dog.mp4', { tag: ' \t' })],
    ['audio with nothing but the sign', audio('dog.mp3', { tag: ' @ ' })],
    ['audio with a number for a tag', audio('dog.mp3', { tag: 1 })],
  ])('400 for an %s', (_name, item) => {
    const body = { model: V4, task_type: 'omni-video', content: [...known, item] }
    expectRefused(body, 'missing_parameter', 'content[1].tag', 'omni-video')
  })
})
