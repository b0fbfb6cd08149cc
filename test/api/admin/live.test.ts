import { expect, onTestFinished, test, vi } from 'vitest'
import { watchRequests as watch } from './live.ts'
import { withAdminApi } from './start-admin-api.ts'

test('GET /live 200 sends requests as they end, of one organization, without keys', async () => {
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

test('GET /live 503 for a fifth page of one operator, and not for another operator', async () => {
  const api = await withAdminApi()
  const { body } = await api.ask('POST /operators', { body: { name: 'eve', role: 'viewer' } })
  const watchers = await Promise.all(Array.from({ length: 4 }, () => watch(api)))
  expect(watchers.map(({ answer }) => answer.status)).toEqual(watchers.map(() => 200))
  expect((await watch(api)).answer.status).toBe(503)
  watchers.push(await watch(api, { key: String(body.token) }))
  expect(watchers.at(-1)?.answer.status).toBe(200)
  for (const { stop } of watchers) stop()
  await expect.poll(async () => (await watch(api)).answer.status).toBe(200)
})

test('GET /live 200 ends when the operator is revoked, and then answers 401', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const api = await withAdminApi()
  const { body } = await api.ask('POST /operators', { body: { name: 'eve', role: 'viewer' } })
  const key = String(body.token)
  const watching = await watch(api, { key })
  await watching.until(': watching')
  await vi.advanceTimersByTimeAsync(10_000)
  await watching.until(': keep-alive')
  expect((await api.ask(`DELETE /operators/${body.id}`)).status).toBe(200)
  const ended = expect(watching.until('a word that never comes')).rejects.toThrow('ended before')
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
  expect((await watch(api, { key })).answer.status).toBe(401)
})

test('GET /live 200 sends requests of a revoked key as refused, without an organization', async () => {
  const api = await withAdminApi()
  expect((await api.ask(`DELETE /keys/${api.tenant.keyId}`)).status).toBe(200)
  const watching = await watch(api)
  await watching.until(': watching')
  await fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${api.tenant.key}` } })
  const text = await watching.until('listModels')
  watching.stop()
  const [, data = ''] = /data: (.*listModels.*)/.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({ status: 401, organization_id: null, key_id: null })
  expect(text).not.toContain(api.tenant.key)
})

test('HEAD /live 200 takes no slot', async () => {
  const api = await withAdminApi()
  const { body } = await api.ask('POST /operators', { body: { name: 'eve', role: 'viewer' } })
  const head = { method: 'HEAD', headers: { 'x-admin-key': String(body.token) } }
  for (let sent = 0; sent < 17; sent += 1) {
    const answer = await fetch(`${api.url}/admin/v1/live`, head)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  }
  const watching = await watch(api)
  expect(watching.answer.status).toBe(200)
  watching.stop()
})
