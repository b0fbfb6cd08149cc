import { onTestFinished, test } from 'vitest'
import { ApiError } from '../../../../src/domain/api-error.ts'
import { clientOf, expectApiError } from '../call-api.ts'
import { startVideoApi } from '../start-video-api.ts'

test('listTasks 503: the store is unreachable', async () => {
  const away = () => Promise.reject(new ApiError('store_unavailable'))
  const api = await startVideoApi({
    around: (store) => ({ ...store, tasks: { ...store.tasks, list: away } }),
  })
  onTestFinished(() => api.close())
  expectApiError(await clientOf(api, api.tenant).list(), { status: 503, code: 'store_unavailable' })
})
