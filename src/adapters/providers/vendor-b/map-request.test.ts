import { expect, it } from 'vitest'
import type { FamilyBWork } from '../../../domain/video/families/b/order.ts'
import type { OrderOptions } from '../../../domain/video/request.ts'
import { toSubmitCall } from './map-request.ts'
import { submitPath } from './wire.ts'

const NO_OPTIONS: OrderOptions = {
  durationSeconds: undefined,
  ratio: undefined,
  resolution: undefined,
  seed: undefined,
  framesPerSecond: undefined,
  generateAudio: undefined,
  draft: undefined,
  serviceTier: undefined,
}
const EVERY_OPTION: OrderOptions = {
  durationSeconds: 8,
  ratio: '9:16',
  resolution: '720p',
  seed: 7,
  framesPerSecond: 24,
  generateAudio: false,
  draft: true,
  serviceTier: 'flex',
}
const SHAPE = { aspect_ratio: '9:16', resolution: '720p' }
const TIMED = { ...SHAPE, duration: 8 }
const WITH_SOUND = { ...TIMED, sound: false }
const OF = 'https://m.example'

const WORKS: [path: string, work: FamilyBWork, sent: object, optionsSent: object][] = [
  ['text2video', { taskType: 'text-to-video', prompt: 'a\nb' }, { prompt: 'a\nb' }, WITH_SOUND],
  [
    'image2video',
    {
      taskType: 'image-to-video',
      prompt: 'p',
      firstFrame: `${OF}/1`,
      endFrame: `${OF}/2`,
      midFrames: [
        { tag: '@m', url: `${OF}/3`, timeStampSeconds: 0 },
        { tag: '@n', url: `${OF}/4`, timeStampSeconds: undefined },
      ],
    },
    {
      prompt: 'p',
      first_frame_image: `${OF}/1`,
      end_frame_image: `${OF}/2`,
      mid_frame_images: [
        { tag: '@m', image_url: `${OF}/3`, time_stamp: 0 },
        { tag: '@n', image_url: `${OF}/4` },
      ],
    },
    WITH_SOUND,
  ],
  [
    'image2video',
    { taskType: 'image-to-video', prompt: '', firstFrame: undefined, endFrame: `${OF}/2`, midFrames: [] },
    { end_frame_image: `${OF}/2` },
    WITH_SOUND,
  ],
  [
    'omni-video',
    {
      taskType: 'omni-video',
      prompt: 'p',
      images: [
        { tag: '@a', type: 'image', urls: [`${OF}/1`, `${OF}/2`], audioUrl: `${OF}/3` },
        { tag: '@g', type: 'grid', urls: [`${OF}/4`], audioUrl: undefined },
      ],
      video: { tag: '@v', type: 'reference', url: `${OF}/5` },
    },
    {
      prompt: 'p',
      ref_images: [
        { tag: '@a', type: 'image', image_urls: [`${OF}/1`, `${OF}/2`], audio_url: `${OF}/3` },
        { tag: '@g', type: 'grid', image_urls: [`${OF}/4`] },
      ],
      ref_videos: [{ tag: '@v', type: 'reference', video_url: `${OF}/5` }],
    },
    WITH_SOUND,
  ],
  [
    'omni-video',
    { taskType: 'omni-video', prompt: 'p', images: [], video: { tag: '@v', type: 'extend', url: `${OF}/5` } },
    { prompt: 'p', ref_videos: [{ tag: '@v', type: 'extend', video_url: `${OF}/5` }] },
    WITH_SOUND,
  ],
  [
    'multiobject',
    { taskType: 'reference', prompt: 'p', images: [`${OF}/1`, `${OF}/2`] },
    { prompt: 'p', ref_images: [`${OF}/1`, `${OF}/2`] },
    TIMED,
  ],
  [
    'extension',
    { taskType: 'extension', prompt: 'p', prefixVideo: `${OF}/1` },
    { prompt: 'p', prefix_video: `${OF}/1` },
    TIMED,
  ],
  [
    'extension/cutshot',
    { taskType: 'cutshot', prompt: '', prefixVideo: `${OF}/1`, cutType: 'zoom' },
    { prefix_video: `${OF}/1`, cut_type: 'zoom' },
    TIMED,
  ],
  [
    'styletransfer',
    { taskType: 'restyling', videoUrl: `${OF}/1`, styleName: 'ink' },
    { video_url: `${OF}/1`, style_name: 'ink' },
    SHAPE,
  ],
]

it.each(WORKS)('%s, without and with every option', (operation, work, sent, optionsSent) => {
  expect(callOf(work, NO_OPTIONS)).toEqual({ operation, body: sent })
  expect(callOf(work, EVERY_OPTION)).toEqual({ operation, body: { ...sent, ...optionsSent } })
})

it.each([
  ['std', { mode: 'std' }],
  ['fast', { mode: 'fast' }],
  [undefined, {}],
] as const)('the mode %s is sent as %j', (mode, sent) => {
  const work = { taskType: 'text-to-video', prompt: 'p' } as const
  expect(callOf(work, NO_OPTIONS, mode).body).toEqual({ prompt: 'p', ...sent })
})

it('the path of a submit call contains its operation', () => {
  expect(submitPath('extension/cutshot')).toBe('/api/v1/video/extension/cutshot/submit')
})

/** Serializes a body as `askVendor` does. */
function callOf(work: FamilyBWork, options: OrderOptions, mode?: 'std' | 'fast') {
  const { operation, body } = toSubmitCall({ family: 'b', model: 'gen-v4-std', mode, work, options })
  return { operation, body: JSON.parse(JSON.stringify(body)) }
}
