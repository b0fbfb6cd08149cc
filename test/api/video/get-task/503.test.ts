import { expect, onTestFinished, test } from 'vitest'
import { clientOf, expectApiError, textBody } from '../call-api.ts'
import { losingTasks } from '../lost-tasks.ts'
import { startVideoApi } from '../start-video-api.ts'

test('getTask 503: the store is unreachable; 762,300 micros stay held, and the task is read once it is back', async () => {
  const { state, around } = losingTasks()
  const api = await startVideoApi({ around })
  onTestFinished(() => api.close())
  const tenant = await api.openTenant()
  const client = clientOf(api, tenant)
  const id = await client.make(textBody())
  state.isAway = true
  const refused = await client.get(id)
  expectApiError(refused, { status: 503, code: 'store_unavailable' })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await api.moneyOf(tenant)).toEqual({ balance: 100_000_000, held: 762_300 })
  state.isAway = false
  expect(await client.get(id)).toMatchObject({ status: 200, body: { id, status: 'queued' } })
  await api.expectSound()
})
