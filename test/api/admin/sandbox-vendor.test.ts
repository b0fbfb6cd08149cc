import { expect, test } from 'vitest'
import { createSecrets } from '../../../src/adapters/system/secrets.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { findSandboxVendor } from '../../../src/compose/diagnosis/find-sandbox-vendor.ts'
import { testProvider } from '../../../src/compose/diagnosis/test-provider.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { SECRET } from '../text/start-text-api.ts'
import { ADMIN_KEY, withAdminApi } from './start-admin-api.ts'

/** The settings of a gateway that chooses the port of its sandbox, for a command beside it. */
const besideOf = (url: string, adminKey = ADMIN_KEY) =>
  readConfig({
    environment: {
      ...{ LOG_LEVEL: 'silent', SLUICE_CONFIG: 'sluice.yaml', SANDBOX: 'on' },
      ...{ HOST: '127.0.0.1', PORT: new URL(url).port, ADMIN_API_KEY: adminKey },
    },
    readFile: () => 'providers: {}',
  })
const readSecrets = async () => createSecrets(SECRET)

test('sluice provider test finds every sandbox vendor of the running gateway, and they answer', async () => {
  const { url } = await withAdminApi()
  const config = besideOf(url)
  for (const name of ['vendorA', 'vendorB', 'vendorC', 'vendorD']) {
    const vendor = await findSandboxVendor(config, name, readSecrets)
    if (vendor === undefined) throw new Error(`${name} is a sandbox vendor`)
    const checks = await testProvider(config, vendor, builtInModels(0))
    expect(checks.map(({ ok }) => ok)).toEqual(checks.map(() => true))
    expect(checks.length).toBeGreaterThan(0)
  }
  expect(await findSandboxVendor(config, 'acme', readSecrets)).toBeUndefined()
})

test('sluice provider test names a fix if the gateway does not report the port of its sandbox', async () => {
  const provider = 'vendorB: { driver: vendor-b, base_url: "SANDBOX/other", api_key: any }'
  const { url } = await withAdminApi({ providers: `providers:\n  ${provider}\n` })
  const refused = { code: 'not_found', message: expect.stringContaining('set SANDBOX_PORT for both') }
  for (const config of [besideOf(url), besideOf(url, 'x'.repeat(20))])
    await expect(findSandboxVendor(config, 'vendorB', readSecrets)).rejects.toMatchObject(refused)
})
