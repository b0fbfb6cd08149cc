import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each([
  '{}',
  '[]',
  'null',
  '7',
  '"model_id"',
  '[{"model_id":7}]',
  '{"model_id":"7"}',
  '{"model_id":0}',
  '{"model_id":-0}',
  '{"model_id":-7}',
  '{"model_id":7.5}',
  '{"model_id":1e400}',
  '{"model_id":9007199254740992}',
  '{"model_id":true}',
  '{"model_id":null}',
  '{"model_id":[7]}',
  '{"model_id":{}}',
  '{"model_id":""}',
  '{"__proto__":{"model_id":7}}',
])('POST /admin/quota/cache/sync/model-price with %s names nothing', async (body) => {
  const { ask, synced } = await askAdmin('model-price')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"model_id must be a positive integer"}')
  expect(synced).toEqual([])
})

test.each(['', '{', '{"model_id":}', '\ufeff{}'])('%j is no JSON', async (body) => {
  const { ask, synced } = await askAdmin('model-price')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must be valid JSON"}')
  expect(synced).toEqual([])
})

test('U+0000 is said to be what is wrong', async () => {
  const { ask, synced } = await askAdmin('model-price')
  const answer = await ask('{"model_id":"\\u0000"}')
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must not contain U+0000 or lone surrogates"}')
  expect(synced).toEqual([])
})
