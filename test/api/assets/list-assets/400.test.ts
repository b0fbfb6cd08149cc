import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectApiError } from '../../video/call-api.ts'
import { startVideoApi, type VideoApi } from '../../video/start-video-api.ts'
import { type AssetClient, assetClientOf } from '../call-assets.ts'

describe('GET /v1/video/assets', () => {
  let api: VideoApi
  let client: AssetClient
  beforeAll(async () => {
    api = await startVideoApi()
    client = assetClientOf(api, api.tenant)
  })
  afterAll(() => api.close())

  test.each(['Active', 'done', 'active,,failed', 'active&status=failed', '%00'])(
    'status=%s is refused',
    async (status) => {
      expectApiError(await client.listAssets(`?status=${status}`), {
        status: 400,
        code: 'invalid_parameter',
        param: 'status',
        message: /^status must be active, processing, or failed$/,
      })
    },
  )

  test.each([
    '?status[]=active',
    '?status%5B%5D=active',
    '?status[0]=active&status[1]=failed',
    '?status=active&status[]=failed',
  ])('%s is refused', async (query) => {
    expectApiError(await client.listAssets(query), {
      status: 400,
      code: 'invalid_parameter',
      param: 'status',
      message: /^status must be active, processing, or failed$/,
    })
  })

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page', ''],
    ['limit', '-1'],
    ['limit', '1e1'],
    ['sort_by', 'name'],
    ['sort_order', 'down'],
    ['name', '%00'],
  ])('%s=%s is refused', async (param, value) => {
    const refused = await client.listAssets(`?${param}=${value}`)
    expectApiError(refused, { status: 400, code: 'invalid_parameter', param })
  })

  test.each(['group_1', `group_${'0'.repeat(32)}`, '%00', "'", 'a&group_id=b'])(
    'group_id=%s is refused',
    async (group) => {
      expectApiError(await client.listAssets(`?group_id=${group}`), {
        status: 400,
        code: 'group_id_error',
        param: 'group_id',
        message: /^group id error$/,
      })
    },
  )
})
