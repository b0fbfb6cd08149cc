import { describe, expect, test } from 'vitest'
import {
  audio,
  expectRefused,
  image,
  text,
  V3,
  V4,
  V4_FAST,
  video,
  workOf,
} from '../../../../../test/video/prepare.ts'

const words = text('a cat')
const tag = 'a'
const prefix = video('a.mp4', { role: 'prefix_video' })
const cut = text('jump', 'cut_type')
const style = text('ink', 'style_name')

describe('family B task type inference', () => {
  test.each([
    [V4, 'text-to-video', 'only text items', [words, text('on a mat')]],
    [V4_FAST, 'text-to-video', 'only text items', [words]],
    [V4, 'image-to-video', 'image_url items', [image('a.png')]],
    [V4_FAST, 'image-to-video', 'image_url items', [words, image('a.png')]],
    [V4, 'omni-video', 'video_url items', [words, video('a.mp4', { tag })]],
    [V4, 'omni-video', 'audio_url items', [image('a.png', { tag }), audio('a.mp3', { tag })]],
    [
      V4,
      'omni-video',
      'image_url and video_url items',
      [image('a.png', { tag }), video('a.mp4', { tag: 'b' })],
    ],
    [V3, 'reference', 'image_url items, no video', [words, image('a.png')]],
    [V3, 'extension', 'video_url with role prefix_video', [words, prefix]],
    [V3, 'cutshot', 'prefix_video plus a text with role cut_type', [prefix, cut]],
    [V3, 'cutshot', 'the same in another order, with a prompt', [cut, words, prefix]],
    [V3, 'restyling', 'video_url plus a text with role style_name', [video('a.mp4'), style]],
    [V3, 'restyling', 'a prefix_video plus a text with role style_name', [prefix, style]],
  ])('%s: %s when content has %s', (model, taskType, _when, content) => {
    expect(workOf({ model, content }).taskType).toBe(taskType)
  })

  test.each([
    ['only text', [words]],
    ['a video with neither role nor style', [words, video('a.mp4')]],
    ['a video with neither role nor style, and an image', [words, video('a.mp4'), image('a.png')]],
    ['only audio', [audio('a.mp3')]],
  ])('V3: 400 when content has %s', (_name, content) => {
    const all = 'reference, extension, cutshot, restyling'
    expectRefused({ model: V3, content }, 'missing_parameter', 'task_type', all)
  })

  test('the task type of the client takes precedence over the content', () => {
    const content = [image('a.png', { tag })]
    expect(workOf({ model: V4, content, taskType: 'omni-video' }).taskType).toBe('omni-video')
  })
})
