import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { makeTenant } from './run-sluice.ts'
import { scaledEnvironment } from './scaled-environment.ts'

const CALLS = 40

async function scrape(baseUrl: string): Promise<string> {
  const { body } = await request(`${baseUrl}/metrics`, { reset: true })
  return body.text()
}

/** Returns the ids of the worker processes that have logged a request. */
function workerPids(output: string): Set<number> {
  return new Set(
    [...output.matchAll(/"pid":(\d+)[^\n]*"operation":"listModels"/g)].map(([, pid]) => Number(pid)),
  )
}

test('two workers share one port and one set of metrics, and a dead worker is replaced', async () => {
  const env = await scaledEnvironment()
  const gateway = await startGateway({ args: ['bin/sluice.js', 'serve', '--workers', '2'], env })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toContain('is ready on')
  const { key } = await makeTenant(env)
  const models = `${gateway.baseUrl}/v1/models`

  for (let index = 0; index < CALLS; index++) expect((await call(models, key)).status).toBe(200)
  await expect.poll(() => workerPids(gateway.output()).size).toBe(2)
  const counted = /sluice_http_requests_total\{[^}]*operation="listModels"[^}]*status="200"[^}]*\} (\d+)/
  await expect.poll(async () => Number((await scrape(gateway.baseUrl)).match(counted)?.[1])).toBe(CALLS)

  const [victim = 0] = workerPids(gateway.output())
  process.kill(victim, 'SIGKILL')
  await expect.poll(() => gateway.output()).toContain('worker.replaced')
  await expect
    .poll(
      async () => {
        await call(models, key).catch(() => delay(20))
        return workerPids(gateway.output()).size
      },
      { timeout: 60_000 },
    )
    .toBe(3)

  expect(await gateway.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}, 120_000)
