import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
  '%s /admin/quota/cache/sync/organization is told to take POST',
  async (method) => {
    const { ask, synced } = await askAdmin('organization')
    const answer = await ask('[', { method })
    expectError(answer, 'admin', 405)
    expect(answer.headers.allow).toBe('POST')
    expect(synced).toEqual([])
  },
)
