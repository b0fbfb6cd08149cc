import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'
import { Refusal } from '../../domain/refusal.ts'

test.each([
  '{}',
  '[]',
  'null',
  '7',
  '"user_id"',
  '[{"user_id":"usr_1"}]',
  '{"user_id":""}',
  '{"user_id":"  "}',
  '{"user_id":7}',
  '{"user_id":true}',
  '{"user_id":null}',
  '{"user_id":["x"]}',
  '{"user_id":{"id":"x"}}',
  '{"__proto__":{"user_id":"usr_1"}}',
])('POST /admin/quota/cache/sync/user with %s names nothing', async (body) => {
  const { ask, synced } = await askAdmin('user')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"user_id is required"}')
  expect(synced).toEqual([])
})

test.each(['', '{', '{"user_id":}', '\ufeff{}'])('%j is no JSON', async (body) => {
  const { ask, synced } = await askAdmin('user')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must be valid JSON"}')
  expect(synced).toEqual([])
})

test('a limit that cannot hold is refused in the words of the contract', async () => {
  const message = 'enable_limit=true requires max_daily_user_limit > 0'
  const { ask } = await askAdmin('user', {
    sync: () => Promise.reject(new Refusal('invalid_parameter', { message })),
  })
  const answer = await ask({ user_id: 'usr_1' })
  expectError(answer, 'admin', 400)
  expect(JSON.parse(answer.body)).toEqual({ error: message })
})

test('U+0000 is said to be what is wrong', async () => {
  const { ask, synced } = await askAdmin('user')
  const answer = await ask('{"user_id":"\\u0000"}')
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must not contain U+0000 or lone surrogates"}')
  expect(synced).toEqual([])
})
