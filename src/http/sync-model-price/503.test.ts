import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test('POST /admin/quota/cache/sync/model-price without a quota service says so, after the body', async () => {
  const { ask } = await askAdmin('model-price', { wired: false })
  const answer = await ask({ model_id: 7 })
  expectError(answer, 'admin', 503)
  expect(answer.body).toBe('{"error":"quota service not wired"}')
  expectError(await ask('{}'), 'admin', 400)
})
