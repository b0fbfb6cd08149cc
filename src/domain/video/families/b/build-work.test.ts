import { expect, test } from 'vitest'
import {
  audio,
  expectRefused,
  image,
  linkTo,
  text,
  V3,
  V4,
  video,
  workOf,
} from '../../../../../test/video/prepare.ts'

test('text-to-video: several text items are merged with newlines', () => {
  const content = [text('a cat'), text('on a mat', 'anything')]
  expect(workOf({ model: V4, content })).toEqual({
    taskType: 'text-to-video',
    prompt: 'a cat\non a mat',
  })
})

test.each([
  [V4, 'text-to-video', [text('a cat'), text('jump', 'cut_type'), text('ink', 'style_name')]],
  [V4, 'image-to-video', [text('jump', 'cut_type'), text('a cat'), image('a.png')]],
  [V4, 'omni-video', [text('ink', 'style_name'), text('a cat'), video('a.mp4', { tag: 'a' })]],
  [V3, 'reference', [text('a cat'), text('ink', 'style_name'), image('a.png')]],
  [V3, 'extension', [text('a cat'), text('jump', 'cut_type'), video('a.mp4', { role: 'prefix_video' })]],
  [
    V3,
    'cutshot',
    [
      text('a cat'),
      text('ink', 'style_name'),
      text('jump', 'cut_type'),
      video('a.mp4', { role: 'prefix_video' }),
    ],
  ],
])('%s %s: the special text of another task type is not a part of the prompt', (model, taskType, content) => {
  expect(workOf({ model, taskType, content })).toMatchObject({ prompt: 'a cat' })
})

test('the special text of another task type is not a prompt either', () => {
  const content = [text('jump', 'cut_type'), video('a.mp4', { role: 'prefix_video' })]
  expectRefused({ model: V3, taskType: 'extension', content }, 'missing_parameter', 'content', 'prompt')
})

test('image-to-video: a first frame by default, an end frame, tagged frames between', () => {
  const content = [
    image('last.png', { role: 'end_frame' }),
    image('1.png', { role: 'mid_frame', tag: 'one', timeStampSeconds: 1.9 }),
    text('a walk'),
    image('first.png', { tag: 'unused' }),
    image('2.png', { role: 'mid_frame', tag: '@two' }),
  ]
  expect(workOf({ model: V4, content })).toEqual({
    taskType: 'image-to-video',
    prompt: 'a walk',
    firstFrame: linkTo('first.png'),
    endFrame: linkTo('last.png'),
    midFrames: [
      { tag: '@one', url: linkTo('1.png'), timeStampSeconds: 1 },
      { tag: '@two', url: linkTo('2.png'), timeStampSeconds: undefined },
    ],
  })
})

test.each(['end_frame', 'mid_frame'])(
  'image-to-video: a %s alone is enough, also without a prompt',
  (role) => {
    expect(workOf({ model: V4, content: [image('a.png', { role, tag: 'a' })] })).toMatchObject({
      taskType: 'image-to-video',
      prompt: '',
      firstFrame: undefined,
    })
  },
)

test('omni-video: images by tag with their audio, and the video', () => {
  const content = [
    text('@cat meets @dog'),
    image('cat-1.png', { tag: 'cat' }),
    image('dog.png', { role: 'grid', tag: '@dog' }),
    image('cat-2.png', { role: 'image', tag: '@cat' }),
    audio('cat.mp3', { tag: 'cat', role: 'anything' }),
    video('street.mp4', { tag: 'street' }),
  ]
  expect(workOf({ model: V4, content })).toEqual({
    taskType: 'omni-video',
    prompt: '@cat meets @dog',
    images: [
      {
        tag: '@cat',
        type: 'image',
        urls: [linkTo('cat-1.png'), linkTo('cat-2.png')],
        audioUrl: linkTo('cat.mp3'),
      },
      { tag: '@dog', type: 'grid', urls: [linkTo('dog.png')], audioUrl: undefined },
    ],
    video: { tag: '@street', type: 'reference', url: linkTo('street.mp4') },
  })
})

test('reference: all images in their order, with any role', () => {
  const content = [image('b.png', { role: 'anything' }), text('a cat'), image('a.png', { tag: 'a' })]
  expect(workOf({ model: V3, content })).toEqual({
    taskType: 'reference',
    prompt: 'a cat',
    images: [linkTo('b.png'), linkTo('a.png')],
  })
})

test('extension: text and the prefix video', () => {
  const content = [text('and then'), video('a.mp4', { role: 'prefix_video' }), text('it rains')]
  expect(workOf({ model: V3, content })).toEqual({
    taskType: 'extension',
    prompt: 'and then\nit rains',
    prefixVideo: linkTo('a.mp4'),
  })
})

test('cutshot: the kind of cut is not a part of the prompt', () => {
  const content = [text('jump', 'cut_type'), text('and then'), video('a.mp4', { role: 'prefix_video' })]
  expect(workOf({ model: V3, content })).toEqual({
    taskType: 'cutshot',
    prompt: 'and then',
    prefixVideo: linkTo('a.mp4'),
    cutType: 'jump',
  })
})

test('restyling: a video and the name of a style', () => {
  const content = [text('not used'), video('a.mp4'), text('ink', 'style_name')]
  expect(workOf({ model: V3, content })).toEqual({
    taskType: 'restyling',
    videoUrl: linkTo('a.mp4'),
    styleName: 'ink',
  })
})
