import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError, textBody, textBodyB } from '../call-api.ts'
import { setTerms } from '../set-terms.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

let api: VideoApi
beforeAll(async () => {
  api = await startVideoApi()
})
afterAll(() => api.close())

const PATHS = {
  contract: '/v1/video/generations',
  quotes: '/v1/video/quotes',
  native: '/api/v3/contents/generations/tasks',
  videos: '/v1/videos',
}

/** Expects a refusal before any money is held and any vendor is called. */
async function expectRefused(path: string, body: object, param: string, message: RegExp): Promise<void> {
  const tenant = await api.openTenant()
  const before = await api.vendors.requests()
  const answer = await clientOf(api, tenant).call('POST', path, { body })
  expectApiError(answer, { status: 400, code: 'invalid_parameter', param, message })
  expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
  expect(await api.vendors.requests()).toEqual(before)
}

test.each([
  [PATHS.contract, 'duration', textBody('', { duration: 500 })],
  [PATHS.quotes, 'duration', textBody('', { duration: 500 })],
  [PATHS.native, 'duration', textBody('', { duration: 500 })],
  [PATHS.videos, 'seconds', { model: 'vendorA/gen-2.0', prompt: 'a cat', seconds: '500' }],
])('POST %s 400: a longer video than the vendor makes, by %s', async (path, param, body) => {
  const message = new RegExp(`^${param} must be from 4 to 30 seconds for vendorA/gen-2.0\\.$`)
  await expectRefused(path, body, param, message)
})

describe('bounds of a catalog row', () => {
  const FAST = 'vendorA/gen-2.0-fast'
  beforeAll(() =>
    setTerms(api, {
      [FAST]: {
        bounds: {
          ...{ duration: [4, 40], resolution: ['480p', '720p'], ratio: ['16:9'] },
          modes: { 'image-to-video': { duration: [5, 10], images: [1, 2] } },
        },
      },
      'vendorB/gen-v4-fast': { bounds: { duration: [4, 8], tags: [1, 1] } },
    }),
  )

  const image = (name: string, more: object = {}) => ({
    ...{ type: 'image_url', image_url: { url: `https://client.example/${name}.png` }, ...more },
  })
  const order = (more: object, ...images: object[]) => ({
    ...{ model: FAST, content: [{ type: 'text', text: 'a cat' }, ...images], ...more },
  })

  test.each([
    [
      'duration',
      order({ duration: 41 }),
      /^duration must be from 4 to 40 seconds for vendorA\/gen-2.0-fast\.$/,
    ],
    ['resolution', order({ resolution: '1080P' }), /^resolution must be one of 480p, 720p for /],
    ['ratio', order({ ratio: '9:16' }), /^ratio must be one of 16:9 for /],
    ['duration', order({ duration: 11 }, image('a')), /from 5 to 10 seconds for image-to-video with vendorA/],
    ['content', order({}, image('a'), image('b'), image('c')), /^content must have from 1 to 2 images for/],
    [
      'content',
      {
        ...order({}, image('a', { tag: 'a' }), image('b', { tag: 'b' })),
        ...{ model: 'vendorB/gen-v4-fast', task_type: 'omni-video' },
      },
      /^content must have 1 different tags for vendorB/,
    ],
  ])('POST /v1/video/generations and quotes 400: %s of %j', async (param, body, message) => {
    await expectRefused(PATHS.contract, body, param, message)
    await expectRefused(PATHS.quotes, body, param, message)
  })

  test.each([
    ['seconds', { seconds: 41 }, /^seconds must be from 4 to 40 seconds/],
    ['size', { size: '1920x1080' }, /^size: resolution must be one of 480p, 720p/],
    ['size', { size: '720x1280' }, /^size: ratio must be one of 16:9/],
  ])('POST /v1/videos 400: %s of %j', async (param, body, message) => {
    await expectRefused(PATHS.videos, { prompt: 'a cat', model: FAST, ...body }, param, message)
  })

  test('POST /v1/videos 400: a model that needs more than a prompt names input_reference', async () => {
    const tenant = await api.openTenant()
    const body = { prompt: 'a cat', model: 'vendorB/gen-v3' }
    expectApiError(await clientOf(api, tenant).call('POST', PATHS.videos, { body }), {
      ...{ status: 400, param: 'input_reference', message: /^This model makes no video of a prompt alone/ },
    })
  })

  test('POST tasks 400: the native path names its fields', async () => {
    await expectRefused(PATHS.native, order({ resolution: '1080p' }), 'resolution', /one of 480p, 720p/)
  })

  test('POST /v1/video/quotes 200: a row can allow more than its family, and other values within', async () => {
    const client = clientOf(api, api.tenant)
    for (const body of [order({ duration: 40, resolution: ' 720P ' }), order({ duration: 10 }, image('a'))])
      expect(await client.call('POST', PATHS.quotes, { body })).toMatchObject({ status: 200 })
  })
})

test('POST /v1/video/quotes 200: 30 seconds of family A cost 4_542_300 micros', async () => {
  const body = textBody('', { duration: 30 })
  const answer = await clientOf(api, api.tenant).call('POST', '/v1/video/quotes', { body })
  expect(answer).toMatchObject({ status: 200, body: { max_micros: 4_542_300 } })
})

test('POST /v1/video/quotes 200: family B has no known bound', async () => {
  const body = textBodyB('', { duration: 60 })
  const answer = await clientOf(api, api.tenant).call('POST', '/v1/video/quotes', { body })
  expect(answer.status).toBe(200)
})
