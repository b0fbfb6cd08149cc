import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CRASH_AT_VARIABLE } from './crash-at.ts'
import { CRASHABLE_SERVER, type GatewayProcess, startGateway } from './gateway-process.ts'

let dataDir: string
let gateway: GatewayProcess | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-crash-'))
})
afterEach(async () => {
  await gateway?.stop()
  gateway = undefined
  await rm(dataDir, { recursive: true })
})

it('the real server dies at its crash point, and starts again with its data', {
  timeout: 120_000,
}, async () => {
  gateway = await startGateway({ args: CRASHABLE_SERVER, env: { DATA_DIR: dataDir } })
  const [key = ''] = (await outputOf(gateway, /sk-sluice-\S+/)) ?? []
  await gateway.kill('SIGTERM')

  const plan = { DATA_DIR: dataDir, [CRASH_AT_VARIABLE]: 'serve.ready' }
  const doomed = startGateway({ args: CRASHABLE_SERVER, env: plan })
  // Readiness may be seen before the crash, or not.
  const end = doomed.then(
    async (process) => {
      const { signal } = await process.exited()
      await process.stop()
      return signal
    },
    (error: Error) => error.message,
  )
  expect(await end).toContain('SIGKILL')

  await gateway.restart()
  const { statusCode, body } = await request(`${gateway.baseUrl}/v1/models`, {
    headers: { authorization: `Bearer ${key}` },
    reset: true,
  })
  await body.dump()
  expect(statusCode).toBe(200)
})

/** The banner may come a moment after the server is ready. */
async function outputOf({ output }: GatewayProcess, pattern: RegExp): Promise<RegExpMatchArray | null> {
  await expect.poll(output).toMatch(pattern)
  return output().match(pattern)
}
