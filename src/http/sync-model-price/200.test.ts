import { expect, test } from 'vitest'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test('POST /admin/quota/cache/sync/model-price syncs and says so', async () => {
  const { ask, synced } = await askAdmin('model-price')
  const answer = await ask({ model_id: 7, other: 'ignored' })
  expect(answer).toMatchObject({ status: 200, body: '{"ok":true,"model_id":7}' })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(synced).toEqual([7])
})

test.each([1, 2_147_483_648, Number.MAX_SAFE_INTEGER])('%i is a model id', async (modelId) => {
  const { ask, synced } = await askAdmin('model-price')
  expect(await ask({ model_id: modelId })).toMatchObject({ status: 200 })
  expect(synced).toEqual([modelId])
})

test.each(['7.0', '70e-1'])('a whole number may be spelled %s', async (spelled) => {
  const { ask, synced } = await askAdmin('model-price')
  expect(await ask(`{"model_id":${spelled}}`)).toMatchObject({
    status: 200,
    body: '{"ok":true,"model_id":7}',
  })
  expect(synced).toEqual([7])
})
