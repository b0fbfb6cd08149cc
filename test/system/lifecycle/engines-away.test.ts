import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../servers/postgres-server.ts'
import { startRedis } from '../../servers/redis-server.ts'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { makeTenant } from './run-sluice.ts'

test('while PostgreSQL or Redis is unreachable the server reports it, serves other requests, and recovers by itself', async () => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  onTestFinished(async () => {
    await Promise.all([postgres.remove(), redis.remove()])
  })
  const env = {
    SLUICE_SECRET: 'a secret of more than thirty-two characters',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
  }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  const { key } = await makeTenant(env)
  const status = async (path: string) => (await call(`${gateway.baseUrl}${path}`, key)).status
  expect(await status('/v1/models')).toBe(200)

  await postgres.crash()
  const refused = await call(`${gateway.baseUrl}/v1/video/generations`, key)
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.any(String), 'x-request-id': expect.any(String) },
    body: { error: { code: 'store_unavailable', type: 'service_unavailable_error', param: null } },
  })
  expect(await status('/v1/models')).toBe(200)
  await expect.poll(() => status('/readyz')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  await postgres.start()
  await expect.poll(() => status('/v1/video/generations')).toBe(200)

  await redis.crash()
  expect(await status('/v1/video/generations')).toBe(200)
  await expect
    .poll(async () => (await call(`${gateway.baseUrl}/readyz`)).body)
    .toMatchObject({ cache: 'down' })
  expect(await status('/readyz')).toBe(200)
  await redis.start()
  await expect.poll(async () => (await call(`${gateway.baseUrl}/readyz`)).body).toMatchObject({ cache: 'up' })
}, 120_000)
