import { expect, test } from 'vitest'
import { expectError } from '../../../test/edge/answer.ts'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test.each([undefined, '', 'wrong'])(
  'POST /admin/quota/cache/sync/organization with the key %s is refused',
  async (key) => {
    const { ask, synced } = await askAdmin('organization')
    const answer = await ask({ organization_id: 'org_1' }, { key })
    expectError(answer, 'admin', 401)
    expect(answer.body).toBe('{"error":"unauthorized"}')
    expect(synced).toEqual([])
  },
)
