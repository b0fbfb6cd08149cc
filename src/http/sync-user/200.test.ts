import { expect, test } from 'vitest'
import { askAdmin } from '../../../test/edge/ask-admin.ts'

test('POST /admin/quota/cache/sync/user syncs and says so', async () => {
  const { ask, synced } = await askAdmin('user')
  const answer = await ask({ user_id: 'usr_1', other: 'ignored' })
  expect(answer).toMatchObject({ status: 200, body: '{"ok":true,"user_id":"usr_1"}' })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(synced).toEqual(['usr_1'])
})

test('an id may hold any character', async () => {
  const { ask, synced } = await askAdmin('user')
  const id = '} \u6c34 "*"'
  expect(JSON.parse((await ask({ user_id: id })).body)).toEqual({ ok: true, user_id: id })
  expect(synced).toEqual([id])
})
