import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each([
  '{}',
  '[]',
  'null',
  '7',
  '"organization_id"',
  '[{"organization_id":"org_1"}]',
  '{"organization_id":""}',
  '{"organization_id":"  "}',
  '{"organization_id":7}',
  '{"organization_id":true}',
  '{"organization_id":null}',
  '{"organization_id":["x"]}',
  '{"organization_id":{"id":"x"}}',
  '{"__proto__":{"organization_id":"org_1"}}',
])('POST /admin/quota/cache/sync/organization with %s names nothing', async (body) => {
  const { ask, synced } = await askAdmin('organization')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"organization_id is required"}')
  expect(synced).toEqual([])
})

test.each(['', '{', '{"organization_id":}', '\ufeff{}'])('%j is no JSON', async (body) => {
  const { ask, synced } = await askAdmin('organization')
  const answer = await ask(body)
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must be valid JSON"}')
  expect(synced).toEqual([])
})

test('U+0000 is said to be what is wrong', async () => {
  const { ask, synced } = await askAdmin('organization')
  const answer = await ask('{"organization_id":"\\u0000"}')
  expectError(answer, 'admin', 400)
  expect(answer.body).toBe('{"error":"body must not contain U+0000 or lone surrogates"}')
  expect(synced).toEqual([])
})
