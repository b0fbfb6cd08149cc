import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, expectApiError } from '../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../video/start-video-api.ts'
import { ASSETS_PATH, CALLBACK_URL, IMAGE, SESSIONS_PATH } from './call-assets.ts'

const TASKS_PATH = '/v1/video/generations'
const UNKNOWN_GROUP = `group_${'0'.repeat(32)}`
const task = (model: string, url: string, more: object = {}) => ({
  model,
  content: [
    { type: 'text', text: 'A cat.' },
    { type: 'image_url', image_url: { url }, role: 'reference_image', ...more },
  ],
})

/** A wrong shape or an unknown model is reported first, then the missing asset service, then other errors. */
describe('where no asset service is configured', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi({ withoutAssets: true })
  })
  afterAll(() => api.close())

  test.each<[operation: string, method: 'GET' | 'POST', path: string, body?: object | string]>([
    ['createAsset', 'POST', ASSETS_PATH, IMAGE],
    ['createAsset, an unknown group', 'POST', ASSETS_PATH, { ...IMAGE, group_id: UNKNOWN_GROUP }],
    ['getAsset, an unknown id', 'GET', `${ASSETS_PATH}/asset_1`],
    ['getAsset, an invalid id', 'GET', `${ASSETS_PATH}/%20`],
    ['listAssets', 'GET', ASSETS_PATH],
    ['listAssets, an unknown group', 'GET', `${ASSETS_PATH}?group_id=${UNKNOWN_GROUP}`],
    ['createSession', 'POST', SESSIONS_PATH, { callback_url: CALLBACK_URL }],
    ['createTask, family A', 'POST', TASKS_PATH, task('vendorA/gen-2.0', 'asset://asset_1')],
    [
      'createTask, family B',
      'POST',
      TASKS_PATH,
      {
        ...task('vendorB/gen-v4-std', 'asset://asset_1', { role: 'image', tag: 'cat' }),
        task_type: 'omni-video',
      },
    ],
  ])('503 %s', async (_operation, method, path, body) => {
    const answer = await clientOf(api, api.tenant).call(method, path, body === undefined ? {} : { body })
    expectApiError(answer, { status: 503, code: 'provider_not_configured', message: /asset service/ })
  })

  test.each<[operation: string, method: 'GET' | 'POST', path: string, code: string, body?: object | string]>([
    ['createAsset, no JSON', 'POST', ASSETS_PATH, 'invalid_json', '{'],
    ['createAsset, no url', 'POST', ASSETS_PATH, 'missing_parameter', { asset_type: 'Image' }],
    ['createAsset, a wrong type', 'POST', ASSETS_PATH, 'invalid_parameter', { ...IMAGE, asset_type: 'Text' }],
    ['createAsset, a number as group', 'POST', ASSETS_PATH, 'group_id_error', { ...IMAGE, group_id: 7 }],
    ['getAsset, no id', 'GET', `${ASSETS_PATH}/`, 'missing_parameter'],
    ['listAssets, a wrong status', 'GET', `${ASSETS_PATH}?status=x`, 'invalid_parameter'],
    ['listAssets, a wrong page', 'GET', `${ASSETS_PATH}?page=0`, 'invalid_parameter'],
    ['createSession, no address', 'POST', SESSIONS_PATH, 'missing_parameter', {}],
    ['createSession, HTTP', 'POST', SESSIONS_PATH, 'invalid_parameter', { callback_url: 'http://a.example' }],
    ['createTask, no model', 'POST', TASKS_PATH, 'missing_parameter', task('', 'asset://asset_1')],
    [
      'createTask, a rule of the model',
      'POST',
      TASKS_PATH,
      'unsupported_combination',
      { ...task('vendorB/gen-v3', 'asset://asset_1'), task_type: 'restyling' },
    ],
  ])('400 %s', async (_operation, method, path, code, body) => {
    const answer = await clientOf(api, api.tenant).call(method, path, body === undefined ? {} : { body })
    expectApiError(answer, { status: 400, code })
  })

  test('404 createTask, an unknown model', async () => {
    const { call } = clientOf(api, api.tenant)
    const answer = await call('POST', TASKS_PATH, { body: task('vendorA/none', 'asset://asset_1') })
    expectApiError(answer, { status: 404, code: 'model_not_found' })
  })

  test('503 createTask before 402: a task that cannot be made needs no money', async () => {
    const poor = await api.openTenant({ creditMicros: 0 })
    const answer = await clientOf(api, poor).call('POST', TASKS_PATH, {
      body: task('vendorA/gen-2.0', 'asset://asset_1'),
    })
    expectApiError(answer, { status: 503, code: 'provider_not_configured' })
    expect(await api.moneyOf(poor)).toEqual({ balance: 0, held: 0 })
  })
})
