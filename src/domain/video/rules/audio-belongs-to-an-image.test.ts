import { test } from 'vitest'
import { audio, expectRefused, image, text, V4, video } from '../../../../test/video/prepare.ts'

const voice = audio('voice.mp3', { tag: 'cat' })

test.each([
  ['a tag no image has', image('dog.png', { tag: 'dog' })],
  ['the tag of a grid', image('cat.png', { role: 'grid', tag: 'cat' })],
  ['the tag of a video', video('cat.mp4', { tag: 'cat' })],
  ['a tag in another case', image('cat.png', { tag: 'Cat' })],
  ['no image at all', text('a cat')],
])('omni-video: 400 for audio on %s', (_name, item) => {
  const content = [item, voice]
  expectRefused(
    { model: V4, content },
    'unsupported_combination',
    'content[1].tag',
    'audio belongs to an image',
  )
})
