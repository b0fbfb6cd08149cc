import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'

const CLIENTS = 20

test('SIGTERM under load: readiness says no first, every request that was sent is answered, the end is clean', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), SHUTDOWN_GRACE_MS: '4000' } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/sk-sluice-/)
  const key = gateway.output().match(/sk-sluice-[\w-]{48}/)?.[0] ?? ''

  // Clients behave as behind a load balancer: they stop sending when readiness says no.
  let ready = true
  let answered = 0
  const failures: unknown[] = []
  const clients = Array.from({ length: CLIENTS }, async () => {
    const pool = new Pool(gateway.baseUrl, { connections: 1 })
    while (ready) {
      try {
        const { statusCode, body } = await pool.request({
          path: '/v1/models',
          method: 'GET',
          headers: { authorization: `Bearer ${key}` },
        })
        await body.dump()
        if (statusCode === 200) answered++
        else failures.push(statusCode)
      } catch (error) {
        failures.push(error)
      }
    }
    await pool.close()
  })

  await expect.poll(() => answered).toBeGreaterThan(CLIENTS * 5)
  process.kill(gateway.pid, 'SIGTERM')
  await expect.poll(async () => (await call(`${gateway.baseUrl}/readyz`)).status, { interval: 5 }).toBe(503)
  ready = false
  await Promise.all(clients)

  expect(failures).toEqual([])
  expect(await gateway.exited()).toEqual({ code: 0, signal: null })
})

test('with nobody connected the server leaves at once and cleanly', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), SHUTDOWN_GRACE_MS: '60000' } })
  expect(await gateway.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  await gateway.stop()
})
