import { expect, onTestFinished, test } from 'vitest'
import { watchRequests } from '../../api/admin/live.ts'
import { withAdminApi } from '../../api/admin/start-admin-api.ts'
import { freshRedis } from '../../servers/fresh-redis.ts'

test('GET /live 200 sends requests of another replica with the same Redis, once each', async () => {
  const redis = await freshRedis()
  onTestFinished(() => redis.close())
  const environment = { REDIS_URL: redis.url }
  const [watched, other] = [await withAdminApi({ environment }), await withAdminApi({ environment })]
  const watching = await watchRequests(watched, { query: `?organization_id=${other.tenant.organizationId}` })
  await watching.until(': watching')
  const use = () =>
    fetch(`${other.url}/v1/models`, { headers: { authorization: `Bearer ${other.tenant.key}` } })
  let text = ''
  const reported = watching.until('event: request').then((read) => {
    text = read
  })
  // The other replica does not report requests that end before it knows of the operator.
  await expect.poll(async () => (await use()).ok && text !== '', { interval: 50 }).toBe(true)
  await reported
  watching.stop()
  const ids = [...text.matchAll(/"request_id":"([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const [, data = ''] = /data: (.*)/.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({
    operation: 'listModels',
    status: 200,
    organization_id: other.tenant.organizationId,
    key_id: other.tenant.keyId,
  })
  expect(text).not.toContain(other.tenant.key)
})
