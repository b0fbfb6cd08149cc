import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { scaledEnvironment } from './scaled-environment.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

const REFUSED = /providers: .*\n.*SANDBOX=on/

test.each([['serve'], ['serve --workers 2']])(
  'without providers, "%s" on PostgreSQL refuses to start',
  async (words) => {
    const ended = await runToItsEnd(words.split(' '), { ...(await scaledEnvironment()), SANDBOX: 'auto' })
    expect(ended).toMatchObject({ code: 1, output: expect.stringMatching(REFUSED) })
    expect(ended.output).not.toContain('is ready on')
  },
)

test('an empty sluice.yaml refuses to start', async () => {
  const folder = dataFolder()
  const file = join(folder, 'sluice.yaml')
  writeFileSync(file, '')
  const ended = await runToItsEnd(['serve'], { DATA_DIR: folder, SLUICE_CONFIG: file, SANDBOX: 'auto' })
  expect(ended).toMatchObject({ code: 1, output: expect.stringMatching(REFUSED) })
})

test('a running sandbox is a warning in the log and in /readyz', async () => {
  const gateway = await startGateway({ env: { DATA_DIR: dataFolder() } })
  onTestFinished(async () => void (await gateway.stop()))
  expect(await call(`${gateway.baseUrl}/readyz`)).toMatchObject({
    status: 200,
    body: { status: 'ready', warnings: [expect.stringMatching(/^sandbox vendors answer/)] },
  })
  // Logged lines are written before the process ends.
  await gateway.kill('SIGTERM')
  expect(gateway.output()).toMatch(/"level":"warn".*"event":"sandbox.serving"/)
})
