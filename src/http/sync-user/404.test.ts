import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each(['POST', 'GET', 'DELETE'])(
  '%s /admin/quota/cache/sync/user is not there without a key of the deployment',
  async (method) => {
    const { ask, synced } = await askAdmin('user', { admin: undefined })
    const answer = await ask({ user_id: 'usr_1' }, { method })
    expectError(answer, 'admin', 404)
    expect(answer.body).toBe('{"error":"admin endpoints disabled"}')
    expect(synced).toEqual([])
  },
)
