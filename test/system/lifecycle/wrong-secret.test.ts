import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { scaledEnvironment } from './scaled-environment.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

test('a store that was made with another secret is not served', async () => {
  const dataDir = dataFolder()
  const gateway = await startGateway({ env: { DATA_DIR: dataDir } })
  await gateway.stop()
  rmSync(join(dataDir, 'secret'))
  await expect(gateway.restart()).rejects.toThrow(/encrypted with another SLUICE_SECRET/)
})

test('two replicas with different secrets do not both start on an empty store', async () => {
  const { DATABASE_URL, REDIS_URL } = await scaledEnvironment()
  const env = { DATABASE_URL, REDIS_URL, SANDBOX_PORT: '0' }
  const first = await startGateway({ env: { ...env, SLUICE_SECRET: 'a'.repeat(32) } })
  onTestFinished(async () => void (await first.stop()))
  const ended = await runToItsEnd(['serve'], { ...env, SLUICE_SECRET: 'b'.repeat(32) })
  expect(ended).toMatchObject({
    code: 1,
    output: expect.stringMatching(/encrypted with another SLUICE_SECRET/),
  })
  const command = await runToItsEnd(['org', 'list'], { ...env, SLUICE_SECRET: 'b'.repeat(32) })
  expect(command).toMatchObject({
    code: 1,
    output: expect.stringMatching(/encrypted with another SLUICE_SECRET/),
  })
})

test('GET /readyz 503 when the store was replaced by one with another secret', async () => {
  const { DATABASE_URL, REDIS_URL } = await scaledEnvironment()
  const gateway = await startGateway({ env: { DATABASE_URL, REDIS_URL, SLUICE_SECRET: 'a'.repeat(32) } })
  onTestFinished(async () => void (await gateway.stop()))
  expect(await call(`${gateway.baseUrl}/readyz`)).toMatchObject({ status: 200, body: { store: 'up' } })
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  for (const [change, problem] of [
    [
      "update deployment set sealed = 'of another deployment'",
      'the store was encrypted with another SLUICE_SECRET',
    ],
    ['delete from deployment', 'the store has lost the row that proves its secret'],
  ] as const) {
    await client.query(change)
    await expect
      .poll(() => call(`${gateway.baseUrl}/readyz`))
      .toMatchObject({ status: 503, body: { status: 'unavailable', problems: [problem] } })
  }
})

test('"migrate" binds the store that it makes to the secret', async () => {
  const { DATABASE_URL, REDIS_URL } = await scaledEnvironment()
  const env = (letter: string) => ({ DATABASE_URL, REDIS_URL, SLUICE_SECRET: letter.repeat(32) })
  expect(await runToItsEnd(['migrate'], env('a'))).toMatchObject({ code: 0 })
  expect(await runToItsEnd(['org', 'list'], env('b'))).toMatchObject({
    code: 1,
    output: expect.stringMatching(/encrypted with another SLUICE_SECRET/),
  })
  expect(await runToItsEnd(['org', 'list'], env('a'))).toMatchObject({ code: 0 })
})
