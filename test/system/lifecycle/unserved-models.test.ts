import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../faults/harness/gateway-process.ts'
import { call } from './call.ts'
import { dataFolder } from './data-folder.ts'
import { makeTenant } from './run-sluice.ts'
import { runToItsEnd } from './run-to-its-end.ts'

/** Time for real processes on a slow machine. */
vi.setConfig({ testTimeout: 120_000 })

/** Port 9 of loopback: nothing is asked of the vendor. */
const FILE = `
providers:
  vendorC: { driver: text, base_url: "http://127.0.0.1:9", api_key: key, models: { model-4.1: chat, model-9: chat } }
`

test('a configured model without a catalog row is a warning at the start, an error in doctor, and not listed', async () => {
  const folder = dataFolder()
  const file = join(folder, 'sluice.yaml')
  writeFileSync(file, FILE)
  const env = { DATA_DIR: folder, SLUICE_CONFIG: file }
  const gateway = await startGateway({ env })
  onTestFinished(async () => void (await gateway.stop()))
  const { key } = await makeTenant(env)
  const listed = await call(`${gateway.baseUrl}/v1/models`, key)
  expect(listed).toMatchObject({ status: 200, body: { data: [{ id: 'vendorC/model-4.1' }] } })
  expect(await call(`${gateway.baseUrl}/v1/models/vendorC/model-4`, key)).toMatchObject({
    status: 404,
    body: {
      error: {
        code: 'model_not_found',
        message:
          'The model "vendorC/model-4" does not exist or is not offered here. Did you mean vendorC/model-4.1?',
      },
    },
  })

  const catalog = join(folder, 'catalog.yaml')
  writeFileSync(
    catalog,
    'models: [{ model_id: 900, name: mistral/small, prices: [], prices_taken: 2020-01-01, ends: 2020-02-01 }]',
  )
  expect(await runToItsEnd(['apply', catalog], env)).toMatchObject({ code: 0 })
  const { code, output } = await runToItsEnd(['doctor'], env)
  expect(output).toMatch(/warn {4}model mistral\/small: .*there is no provider "mistral".*sluice init/)
  expect(output).toMatch(
    /warn {4}prices of mistral: the prices of 1 model were taken on 2020-01-01, \d+ days ago/,
  )
  expect(output).toContain('warn    model mistral/small: its vendor ended it on 2020-02-01')
  expect(code).toBe(1)
  expect(output).toMatch(/FAILED {2}model vendorC\/model-9: .*no row of the catalog.*\n.*sluice apply/)
  await gateway.kill('SIGTERM')
  const again = await startGateway({ env })
  await again.kill('SIGTERM')
  expect(again.output()).toMatch(/"level":"warn".*mistral\/small.*"event":"model.without_provider"/)
  expect(gateway.output()).toMatch(
    /"level":"warn".*vendorC\/model-9.*"event":"model.unusable".*sluice apply catalog\.yaml/,
  )
})

test('doctor warns of a stand-in that cannot be served, until its vendor is configured', async () => {
  const folder = dataFolder()
  const env = { DATA_DIR: folder, SLUICE_CONFIG: join(folder, 'sluice.yaml') }
  const vendorA =
    '  vendorA: { driver: vendor-a, base_url: "http://127.0.0.1:9", api_key: key, models: { gen-2.0: id } }'
  const vendorB = '  vendorB: { driver: vendor-b, base_url: "http://127.0.0.1:9", api_key: key }'
  writeFileSync(env.SLUICE_CONFIG, `providers:\n${vendorA}\n`)
  expect(await runToItsEnd(['migrate'], env)).toMatchObject({ code: 0 })
  const catalog = join(folder, 'catalog.yaml')
  writeFileSync(catalog, 'models: [{ model_id: 1, name: vendorA/gen-2.0, stand_ins: [vendorB/gen-v4-std] }]')
  expect(await runToItsEnd(['apply', catalog], env)).toMatchObject({ code: 0 })
  const warning =
    /warn {4}model vendorA\/gen-2\.0: its stand-in vendorB\/gen-v4-std is passed over: there is no provider "vendorB"\..*stand_ins/
  expect((await runToItsEnd(['doctor'], env)).output).toMatch(warning)
  writeFileSync(env.SLUICE_CONFIG, `providers:\n${vendorA}\n${vendorB}\n`)
  expect((await runToItsEnd(['doctor'], env)).output).not.toContain('its stand-in')
})
