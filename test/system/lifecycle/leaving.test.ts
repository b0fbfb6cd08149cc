import { expect, onTestFinished, test, vi } from 'vitest'
import { type GatewayProcess, startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { makeTenant } from './run-sluice.ts'
import { scaledEnvironment } from './scaled-environment.ts'
import { steadyClients } from './steady-clients.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const KEY = /sk-sluice-[\w-]{48}/
const CLIENTS = 20
/** Times that let clients on a busy machine see the failing `/readyz` before the server stops. */
const LEAVING = { SHUTDOWN_GRACE_MS: '60000', SHUTDOWN_NOT_READY_MS: '5000' }

/** The clients stop when `/readyz` fails; until then they must have lost no request. */
async function leaveUnderLoad(gateway: GatewayProcess, key: string): Promise<void> {
  const clients = steadyClients({ baseUrl: gateway.baseUrl, key, count: CLIENTS })
  await expect.poll(() => clients.answered()).toBeGreaterThan(CLIENTS * 5)
  process.kill(gateway.pid, 'SIGTERM')
  await expect.poll(async () => (await call(`${gateway.baseUrl}/readyz`)).status, { interval: 5 }).toBe(503)
  await clients.stop()

  expect(clients.failures).toEqual([])
  expect(await gateway.exited()).toEqual({ code: 0, signal: null })
}

test('SIGTERM under load: readiness fails first, every sent request is answered, and the process ends cleanly', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), ...LEAVING } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(KEY)
  await leaveUnderLoad(gateway, gateway.output().match(KEY)?.[0] ?? '')
})

test('SIGTERM under load with two workers: every sent request is answered, and no worker is killed', async () => {
  const env = { ...(await scaledEnvironment()), ...LEAVING }
  const gateway = await startGateway({ args: ['bin/sluice.js', 'serve', '--workers', '2'], env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toContain('is ready on')
  const { key } = await makeTenant(env)
  await leaveUnderLoad(gateway, key)
  expect(gateway.output()).not.toContain('worker.killed')
})

test('SHUTDOWN_NOT_READY_MS decides how long a stopping server still answers', async () => {
  const start = async (SHUTDOWN_NOT_READY_MS: string) => {
    const env = { DATA_DIR: dataFolder(), SHUTDOWN_GRACE_MS: '600000', SHUTDOWN_NOT_READY_MS }
    return await startGateway({ env })
  }
  const long = await start('300000')
  onTestFinished(async () => void (await long.kill('SIGKILL')))
  const short = await start('0')
  for (const { pid } of [long, short]) process.kill(pid, 'SIGTERM')
  expect(await short.exited()).toEqual({ code: 0, signal: null })
  expect(await call(`${long.baseUrl}/readyz`)).toMatchObject({ status: 503, body: { status: 'draining' } })
})

test('stopping an idle server does not wait for the grace period', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder(), SHUTDOWN_GRACE_MS: '600000' } })
  process.kill(gateway.pid, 'SIGINT')
  expect(await gateway.exited()).toEqual({ code: 0, signal: null })
  await gateway.stop()
})
