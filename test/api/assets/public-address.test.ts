import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../system/faults/harness/gateway-process.ts'
import { NO_PROVIDERS } from '../../system/faults/harness/no-providers.ts'
import { dataFolder } from '../../system/lifecycle/data-folder.ts'

const WARNING = 'PUBLIC_BASE_URL is not set'

/** No server listens there: a start needs nothing of the vendor. */
const VENDOR = `
providers:
  vendorA:
    driver: vendor-a
    base_url: http://127.0.0.1:9/api/v3
    api_key: any
    models: { gen-2.0: up-2.0 }
`
const WITH_ASSETS = `${VENDOR}    assets: { endpoint: 'http://127.0.0.1:9', access_key: any, secret_key: any, region: r, service: s }
`

test.each([
  ['an asset service and no public address: a warning', WITH_ASSETS, {}, true],
  ['asset service and address: none', WITH_ASSETS, { PUBLIC_BASE_URL: 'https://gateway.example' }, false],
  ['no asset service: none', VENDOR, {}, false],
  ['the sandbox: none', undefined, {}, false],
])('a start with %s', async (_name, providers, env: Record<string, string>, isWarned) => {
  const folder = dataFolder()
  const file = providers === undefined ? NO_PROVIDERS : join(folder, 'sluice.yaml')
  if (providers !== undefined) writeFileSync(file, providers)
  const gateway = await startGateway({ env: { DATA_DIR: folder, SLUICE_CONFIG: file, ...env } })
  onTestFinished(async () => void (await gateway.stop()))
  await expect.poll(() => gateway.output()).toMatch(/Reference: http/)
  // Logged lines are written before the process ends.
  await gateway.kill('SIGTERM')
  expect(gateway.output().includes(WARNING)).toBe(isWarned)
})
