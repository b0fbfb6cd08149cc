import { expect, test } from 'vitest'
import { readUntil } from '../http-edge/read-until.ts'
import { ADMIN_KEY, type AdminApi, withAdminApi } from './start-admin-api.ts'

async function watch({ url }: AdminApi, { key = ADMIN_KEY, query = '' } = {}) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/admin/v1/live${query}`, {
    headers: { 'x-admin-key': key },
    signal: stop.signal,
  })
  return { answer, until: readUntil(answer), stop: () => stop.abort() }
}

test('GET /live 200 tells requests as they end, of one organization, without keys', async () => {
  const api = await withAdminApi()
  const other = await api.openTenant()
  const watching = await watch(api, { query: `?organization_id=${api.tenant.organizationId}` })
  expect(watching.answer.headers.get('content-type')).toBe('text/event-stream')
  await watching.until(': watching')
  const use = (key: string) => fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  await use(other.key)
  await use(api.tenant.key)
  const text = await watching.until('event: request')
  watching.stop()
  const [, data = ''] = /data: (.*)/.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({
    operation: 'listModels',
    status: 200,
    organization_id: api.tenant.organizationId,
    key_id: api.tenant.keyId,
  })
  expect(text).not.toContain(api.tenant.key)
  expect(text).not.toContain(other.organizationId)
})

test('GET /live 503 for more operators than a process tells', async () => {
  const api = await withAdminApi()
  const watchers = await Promise.all(Array.from({ length: 16 }, () => watch(api)))
  expect(watchers.map(({ answer }) => answer.status)).toEqual(watchers.map(() => 200))
  expect((await watch(api)).answer.status).toBe(503)
  for (const { stop } of watchers) stop()
  await expect.poll(async () => (await watch(api)).answer.status).toBe(200)
})
