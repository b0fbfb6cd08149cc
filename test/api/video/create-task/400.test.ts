import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Client, clientOf, expectApiError, textBody } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

const TEXT = { type: 'text', text: 'a cat' }
const image = (url = 'https://media.example/a.png') => ({ type: 'image_url', image_url: { url } })
const VIDEO = { type: 'video_url', video_url: { url: 'https://media.example/a.mp4' } }
const AUDIO = { type: 'audio_url', audio_url: { url: 'https://media.example/a.mp3' } }
const on = (model: string, content: object[], more: object = {}) => ({ model, content, ...more })
const V4 = 'vendorB/gen-v4-std'
const V3 = 'vendorB/gen-v3'

describe('POST /v1/video/generations', () => {
  let api: VideoApi
  let client: Client
  beforeAll(async () => {
    api = await startVideoApi()
    client = clientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(['', '{', '[1,]', 'nonsense', '\u{feff}{}'])('%j is no JSON', async (body) => {
    const answer = await client.create(body)
    expectApiError(answer, { status: 400, code: 'invalid_json', message: /^body must be valid JSON$/ })
  })

  test.each<[name: string, body: object, code: string, param: string | null]>([
    ['an array', [], 'invalid_parameter', null],
    ['no model', { content: [TEXT] }, 'missing_parameter', 'model'],
    ['a model that is no string', { model: 1, content: [TEXT] }, 'invalid_parameter', 'model'],
    ['no content', { model: 'vendorA/gen-2.0' }, 'missing_parameter', 'content'],
    ['an empty content', textBody('', { content: [] }), 'invalid_parameter', 'content'],
    ['no valid item', textBody('', { content: [7, { type: 'text' }] }), 'invalid_parameter', 'content'],
    ['a duration of 3', textBody('', { duration: 3 }), 'invalid_parameter', 'duration'],
    ['a duration of 4.5', textBody('', { duration: 4.5 }), 'invalid_parameter', 'duration'],
    ['a ratio of 4:3', textBody('', { ratio: '4:3' }), 'invalid_parameter', 'ratio'],
    [
      'a callback_url over http',
      textBody('', { callback_url: 'http://a.example' }),
      'invalid_parameter',
      'callback_url',
    ],
    [
      'a callback_url to ourselves',
      textBody('', { callback_url: 'https://127.0.0.1/' }),
      'invalid_parameter',
      'callback_url',
    ],
    ['metadata that is a list', textBody('', { metadata: [] }), 'invalid_parameter', 'metadata'],
    [
      'a media url over http',
      on('vendorA/gen-2.0', [TEXT, image('http://media.example/a')]),
      'invalid_parameter',
      'content[1].image_url.url',
    ],
    [
      'a media url to a private address',
      on('vendorA/gen-2.0', [TEXT, image('https://10.0.0.1/a')]),
      'invalid_parameter',
      'content[1].image_url.url',
    ],
    [
      'an asset that is not there',
      on('vendorA/gen-2.0', [TEXT, image('asset://unknown')]),
      'asset_not_usable',
      'content[1].image_url.url',
    ],
    ['audio alone', on('vendorA/gen-2.0', [TEXT, AUDIO]), 'unsupported_combination', 'content'],
    [
      'audio of the fast model',
      on('vendorB/gen-v4-fast', [TEXT], { generate_audio: true }),
      '',
      'generate_audio',
    ],
    ['a task type of V3 on V4', on(V4, [TEXT], { task_type: 'reference' }), '', 'task_type'],
    ['a task type of V4 on V3', on(V3, [TEXT, image()], { task_type: 'image-to-video' }), '', 'task_type'],
    ['a mid frame without a tag', on(V4, [TEXT, { ...image(), role: 'mid_frame' }]), '', 'content[1].tag'],
    ['omni media without a tag', on(V4, [TEXT, VIDEO]), '', 'content[1].tag'],
    [
      'an extended video beside an image',
      on(V4, [TEXT, { ...VIDEO, tag: 'v', role: 'extend' }, { ...image(), tag: 'i' }]),
      '',
      null,
    ],
    ['five reference images', on(V3, [TEXT, image(), image(), image(), image(), image()]), '', null],
    ['an extension without text', on(V3, [{ ...VIDEO, role: 'prefix_video' }]), '', null],
  ])('%s is refused', async (_name, body, code, param) => {
    const answer = await client.create(body)
    expectApiError(answer, { status: 400, ...(code !== '' && { code }), ...(param !== null && { param }) })
  })

  test.each([
    ['[moderate]', 'vendorA/gen-2.0'],
    ['[moderate]', V4],
  ])('%s on %s is the error of the vendor, and nothing is stored', async (word, model) => {
    const tenant = await api.openTenant()
    const { create, list } = clientOf(api, tenant)
    const refused = await create(on(model, [{ type: 'text', text: word }]), 'again')
    expectApiError(refused, { status: 400, code: 'content_policy_violation' })
    expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 0 })
    expect(await list()).toMatchObject({ body: { data: [] } })
    // An error frees the key, also for another body.
    expect(await create(on(model, [TEXT]), 'again')).toMatchObject({ status: 200 })
  })

  test.each(['', ' ', '\u00e9', 'a'.repeat(256)])('the Idempotency-Key %j is refused', async (key) => {
    expectApiError(await client.create(textBody(), key), {
      status: 400,
      code: 'invalid_parameter',
      param: 'Idempotency-Key',
    })
  })

  test('a wrong value is reported before an unknown model, and that before a rule', async () => {
    const unknown = { model: 'vendorB/none', content: [TEXT, AUDIO] }
    expectApiError(await client.create({ ...unknown, duration: 1 }), {
      status: 400,
      code: 'invalid_parameter',
    })
    expectApiError(await client.create(unknown), { status: 404, code: 'model_not_found' })
  })

  test('no refused request holds money', async () => {
    expect(await api.moneyOf(api.tenant)).toEqual({ balance: 100_000_000, held: 0 })
    await api.expectSound()
  })
})

test.each(['vendorA/gen-2.0', V4])(
  '%s: a deadline below the minimum of the operator is refused',
  async (model) => {
    const bounded = await startVideoApi({ expiresMinSeconds: 3_600 })
    onTestFinished(() => bounded.close())
    const { create } = clientOf(bounded, bounded.tenant)
    const body = (seconds: number) => on(model, [TEXT], { execution_expires_after: seconds })
    expectApiError(await create(body(3_599), 'once'), {
      status: 400,
      code: 'invalid_parameter',
      param: 'execution_expires_after',
    })
    expect(await bounded.moneyOf(bounded.tenant)).toEqual({ balance: 100_000_000, held: 0 })
    expect(await create(body(3_600), 'once')).toMatchObject({ status: 200 })
  },
)
