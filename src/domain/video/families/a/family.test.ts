import { describe, expect, test } from 'vitest'
import {
  A,
  audio,
  image,
  linkTo,
  media,
  prepare,
  text,
  video,
  type Wish,
} from '../../../../../test/video/prepare.ts'
import type { FamilyAItem } from './order.ts'

function itemsOf(content: Wish['content']): readonly FamilyAItem[] {
  const order = prepare({ model: A, content })
  if (order.family === 'a') return order.items
  throw new TypeError('This order is of family B.')
}

describe('family A content shapes', () => {
  const words = { kind: 'text', text: 'a cat' }

  test('text-to-video: one text item', () => {
    expect(itemsOf([text('a cat')])).toEqual([words])
  })

  test('image-to-video: text and an image, role reference_image', () => {
    const content = [text('a cat'), image('cat.png', { role: 'reference_image' })]
    expect(itemsOf(content)).toEqual([
      words,
      { kind: 'image', url: linkTo('cat.png'), role: 'reference_image' },
    ])
  })

  test('video-to-video: text and a video, role reference_video', () => {
    const content = [text('a cat'), video('cat.mp4', { role: 'reference_video' })]
    expect(itemsOf(content)).toEqual([
      words,
      { kind: 'video', url: linkTo('cat.mp4'), role: 'reference_video' },
    ])
  })

  test('audio-driven: text, a visual and audio, role reference_audio', () => {
    const content = [text('a cat'), image('cat.png'), audio('cat.mp3', { role: 'reference_audio' })]
    expect(itemsOf(content)).toEqual([
      words,
      { kind: 'image', url: linkTo('cat.png'), role: undefined },
      { kind: 'audio', url: linkTo('cat.mp3'), role: 'reference_audio' },
    ])
  })

  test.each([
    ['first_frame', image('cat.png', { role: 'first_frame' })],
    ['a role of videos', image('cat.png', { role: 'reference_video' })],
    ['a role of images', video('cat.mp4', { role: 'reference_image' })],
    ['another case', image('cat.png', { role: 'Reference_Image' })],
  ])('a role other than the reference role of its kind is dropped: %s', (_name, item) => {
    expect(itemsOf([text('a cat'), item])[1]).toMatchObject({ role: undefined })
  })

  test('a role on text, a tag and a time stamp are never sent', () => {
    const content = [text('a cat', 'cut_type'), image('cat.png', { tag: 'cat', timeStampSeconds: 2 })]
    expect(itemsOf(content)).toEqual([words, { kind: 'image', url: linkTo('cat.png'), role: undefined }])
  })

  test('the URL of an asset stays as it is', () => {
    const content = [media('image', 'asset://asset-1', { role: 'reference_image' })]
    expect(itemsOf(content)).toEqual([{ kind: 'image', url: 'asset://asset-1', role: 'reference_image' }])
  })
})
