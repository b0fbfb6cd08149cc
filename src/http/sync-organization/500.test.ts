import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'
import { Refusal } from '../../domain/refusal.ts'

test.each([
  new Refusal('store_unavailable', { message: 'secret words' }),
  new Refusal('internal_error', { message: 'secret words' }),
  new Error('secret words'),
  'secret words',
])('POST /admin/quota/cache/sync/organization: %s is a failed sync, and the log has it', async (thrown) => {
  const { ask, edge } = await askAdmin('organization', { sync: () => Promise.reject(thrown) })
  const answer = await ask({ organization_id: 'org_1' })
  expectError(answer, 'admin', 500)
  expect(answer.body).toBe('{"error":"sync failed"}')
  expect(edge.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'request failed', fields: { operation: 'syncOrganization', error: thrown } },
  ])
})

test('a sync that takes too long is given up', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const admin = { isKey: () => true, requestMsMax: 20 }
  const { ask } = await askAdmin('organization', { admin, sync: () => promise })
  const answer = await ask({ organization_id: 'org_1' })
  resolve()
  expectError(answer, 'admin', 500)
  expect(answer.body).toBe('{"error":"sync timed out"}')
})
