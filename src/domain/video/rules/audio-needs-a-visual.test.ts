import { describe, expect, test } from 'vitest'
import { A, audio, expectRefused, image, prepare, text, video } from '../../../../test/video/prepare.ts'

describe('family A, audio-driven: audio cannot be the only reference input', () => {
  test.each([
    ['with text', [text('a song'), audio('song.mp3')]],
    ['alone', [audio('song.mp3', { role: 'reference_audio' })]],
  ])('400 %s', (_name, content) => {
    expectRefused({ model: A, content }, 'unsupported_combination', 'content', 'Audio cannot be the only')
  })

  test.each([
    ['an image', [text('a song'), image('face.png'), audio('song.mp3')]],
    ['a video', [text('a song'), video('street.mp4'), audio('song.mp3')]],
    ['an image and no text', [image('face.png'), audio('song.mp3')]],
  ])('accepted with %s', (_name, content) => {
    expect(prepare({ model: A, content })).toMatchObject({ family: 'a' })
  })
})
