import { expect, test } from 'vitest'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test('POST /admin/quota/cache/sync/organization syncs and says so', async () => {
  const { ask, synced } = await askAdmin('organization')
  const answer = await ask({ organization_id: 'org_1', other: 'ignored' })
  expect(answer).toMatchObject({ status: 200, body: '{"ok":true,"organization_id":"org_1"}' })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(synced).toEqual(['org_1'])
})

test('an id may hold any character', async () => {
  const { ask, synced } = await askAdmin('organization')
  const id = '} \u6c34 "*"'
  expect(JSON.parse((await ask({ organization_id: id })).body)).toEqual({ ok: true, organization_id: id })
  expect(synced).toEqual([id])
})
