import { describe, expect, it } from 'vitest'
import { openVendors } from '../open-vendors.ts'
import { BODIES, submit } from '../vendor-b-client.ts'

const URL_A = 'https://example.com/a.png'
const GRID = { tag: '@g', type: 'grid', image_urls: [URL_A] }
const EXTEND = { tag: '@v', type: 'extend', video_url: 'https://example.com/a.mp4' }

async function post(work: string, members: object = {}) {
  return submit(await openVendors(), work, members)
}

describe('200', () => {
  it.each<[string, object]>([
    ...Object.keys(BODIES).map((work): [string, object] => [work, {}]),
    ...Object.keys(BODIES).map((work): [string, object] => [work, { aspect_ratio: '1:1', resolution: '4k' }]),
    ['text2video', { duration: 8, sound: true }],
    ['text2video', { mode: 'fast', sound: false }],
    ['image2video', { prompt: '', first_frame_image: undefined, end_frame_image: URL_A }],
    [
      'image2video',
      {
        first_frame_image: undefined,
        mid_frame_images: [
          { tag: '@a', image_url: URL_A, time_stamp: 2 },
          { tag: '@b', image_url: URL_A },
        ],
      },
    ],
    ['omni-video', { ref_images: [GRID], ref_videos: [{ ...EXTEND, type: 'reference' }] }],
    ['omni-video', { ref_images: undefined, ref_videos: [EXTEND] }],
    ['omni-video', { ref_images: [{ ...GRID, type: 'image', audio_url: 'https://example.com/a.mp3' }] }],
    ['extension/cutshot', { prompt: 'closer', duration: 4 }],
  ])('%s %j', async (work, members) => {
    expect(await post(work, members)).toMatchObject({
      status: 200,
      body: {
        task_id: expect.stringMatching(/^vb-[\w-]+$/),
        msg: expect.any(String),
        code: 200,
        status: 'ok',
        data: null,
        trace_id: expect.any(String),
      },
    })
  })
})

describe('422', () => {
  it.each<[string, object, (string | number)[]]>([
    ['text2video', { prompt: undefined }, ['prompt']],
    ['text2video', { prompt: ' ' }, ['prompt']],
    ['text2video', { prompt: 1 }, ['prompt']],
    ['text2video', { mode: undefined }, ['mode']],
    ['text2video', { mode: 'turbo' }, ['mode']],
    ['text2video', { duration: 5.5 }, ['duration']],
    ['text2video', { duration: '5' }, ['duration']],
    ['text2video', { aspect_ratio: '4:3' }, ['aspect_ratio']],
    ['text2video', { resolution: 720 }, ['resolution']],
    ['text2video', { resolution: 'x'.repeat(33) }, ['resolution']],
    ['text2video', { sound: 'yes' }, ['sound']],
    ['text2video', { mode: 'fast', sound: true }, ['sound']],
    ['text2video', { seed: 1 }, ['seed']],
    ['text2video', { toString: 1 }, ['toString']],
    ['image2video', { first_frame_image: undefined }, ['first_frame_image']],
    ['image2video', { first_frame_image: undefined, mid_frame_images: [] }, ['first_frame_image']],
    ['image2video', { first_frame_image: 'asset://asset-1' }, ['first_frame_image']],
    ['image2video', { first_frame_image: { url: URL_A } }, ['first_frame_image']],
    ['image2video', { mid_frame_images: [{ image_url: URL_A }] }, ['mid_frame_images', 0, 'tag']],
    ['image2video', { mid_frame_images: [{ tag: 'a', image_url: URL_A }] }, ['mid_frame_images', 0, 'tag']],
    [
      'image2video',
      { mid_frame_images: [{ tag: '@a', image_url: URL_A, time_stamp: 1.5 }] },
      ['mid_frame_images', 0, 'time_stamp'],
    ],
    ['omni-video', { ref_images: undefined }, ['prompt']],
    ['omni-video', { ref_images: [URL_A] }, ['ref_images', 0]],
    ['omni-video', { ref_images: [{ ...GRID, type: 'photo' }] }, ['ref_images', 0, 'type']],
    ['omni-video', { ref_images: [{ ...GRID, image_urls: [] }] }, ['ref_images', 0, 'image_urls']],
    ['omni-video', { ref_images: [{ ...GRID, image_urls: [URL_A, URL_A] }] }, ['ref_images']],
    ['omni-video', { ref_images: [{ ...GRID, audio_url: URL_A }] }, ['ref_images']],
    ['omni-video', { ref_images: undefined, ref_videos: [EXTEND, EXTEND] }, ['ref_videos']],
    ['omni-video', { ref_videos: [EXTEND] }, ['ref_videos']],
    ['multiobject', { prompt: undefined }, ['prompt']],
    ['multiobject', { ref_images: [] }, ['ref_images']],
    ['multiobject', { ref_images: Array(5).fill(URL_A) }, ['ref_images']],
    ['multiobject', { ref_images: [GRID] }, ['ref_images', 0]],
    ['multiobject', { mode: 'std' }, ['mode']],
    ['extension', { prompt: undefined }, ['prompt']],
    ['extension', { prefix_video: undefined }, ['prefix_video']],
    ['extension/cutshot', { cut_type: undefined }, ['cut_type']],
    ['styletransfer', { style_name: undefined }, ['style_name']],
    ['styletransfer', { video_url: undefined }, ['video_url']],
  ])('%s %j', async (work, members, place) => {
    const detail = [{ loc: ['body', ...place], msg: expect.any(String), type: expect.any(String) }]
    const answer = await post(work, members)
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body).toEqual({ detail })
  })

  it('names every field that is wrong', async () => {
    const { body } = await post('text2video', { prompt: undefined, mode: 'x', seed: 1 })
    expect(body).toMatchObject({
      detail: [{ loc: ['body', 'prompt'] }, { loc: ['body', 'mode'] }, { loc: ['body', 'seed'] }],
    })
  })

  it.each(['{"api_key":', '[]', 'null'])('a body that is %s', async (body) => {
    const vendors = await openVendors()
    const answer = await vendors.call('POST', '/vendor-b/api/v1/video/text2video/submit', body)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } })
  })
})

it.each([undefined, '', 'bad-key', 1])('401: the key is %j', async (api_key) => {
  expect(await post('text2video', { api_key, prompt: undefined })).toMatchObject({
    status: 401,
    body: { code: 401, task_id: '' },
  })
})

it('404: a work that this vendor does not do', async () => {
  expect((await post('speech')).status).toBe(404)
})

describe('a scripted refusal', () => {
  it.each([
    ['moderate', 200, 482],
    ['busy', 429, 429],
    ['concurrency', 200, 481],
    ['overdue', 200, 480],
    ['closed', 401, 401],
    ['broken', 500, 500],
  ])('[%s]: HTTP %i with code %i', async (word, status, code) => {
    const answer = await post('text2video', { prompt: `A cat [${word}]` })
    expect(answer).toMatchObject({ status, body: { code, task_id: '', data: null } })
  })

  it('also stands in the name of a style', async () => {
    const answer = await post('styletransfer', { style_name: 'paper [moderate]' })
    expect(answer.body).toMatchObject({ code: 482 })
  })
})
