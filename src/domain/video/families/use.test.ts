import { expect, test } from 'vitest'
import { A, audio, image, text, useOf, V3, V4, video } from '../../../../test/video/prepare.ts'

test('values of the client are used', () => {
  const given = { resolution: '1080p', ratio: '1:1' as const, durationSeconds: 8, generateAudio: true }
  expect(useOf({ model: A, content: [text('a cat')], ...given })).toEqual({
    resolution: '1080p',
    ratio: '1:1',
    seconds: 8,
    unit: 'video_token',
    referenceSeconds: [],
    audio: true,
  })
})

test('values that the client left out are left to the estimate', () => {
  expect(useOf({ model: V4, content: [text('a cat')] })).toEqual({
    resolution: undefined,
    ratio: undefined,
    seconds: undefined,
    unit: 'second',
    referenceSeconds: [],
    audio: false,
  })
})

test.each([undefined, 4, 30])('a duration of %j does not change the hold of restyling', (durationSeconds) => {
  const content = [text('ink', 'style_name'), video('a.mp4')]
  expect(useOf({ model: V3, content, durationSeconds }).seconds).toBe(15)
})

test('an extension is as long as the client asks for', () => {
  const content = [text('go on'), video('a.mp4', { role: 'prefix_video' })]
  expect(useOf({ model: V3, content, durationSeconds: 8 }).seconds).toBe(8)
})

const tag = 'a'
const prefix = video('a.mp4', { role: 'prefix_video' })

test.each([
  ['family A with a video', A, [text('a'), video('a.mp4')], true],
  ['family A with an image and audio', A, [image('a.png'), audio('a.mp3')], false],
  ['image-to-video', V4, [image('a.png')], false],
  ['omni-video with a video', V4, [video('a.mp4', { tag })], true],
  ['omni-video with an image and audio', V4, [image('a.png', { tag }), audio('a.mp3', { tag })], false],
  ['reference', V3, [text('a'), image('a.png')], false],
  ['extension', V3, [text('a'), prefix], true],
  ['cutshot', V3, [text('a', 'cut_type'), prefix], true],
  ['restyling', V3, [text('a', 'style_name'), video('a.mp4')], true],
])('%s: whether it counts as video input', (_name, model, content, hasVideoInput) => {
  expect(useOf({ model, content }).referenceSeconds.length > 0).toBe(hasVideoInput)
})
