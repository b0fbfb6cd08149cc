import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each([undefined, '', 'wrong'])(
  'POST /admin/quota/cache/sync/user with the key %s is refused',
  async (key) => {
    const { ask, synced } = await askAdmin('user')
    const answer = await ask({ user_id: 'usr_1' }, { key })
    expectError(answer, 'admin', 401)
    expect(answer.body).toBe('{"error":"unauthorized"}')
    expect(synced).toEqual([])
  },
)
