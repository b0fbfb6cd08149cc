import { expect, onTestFinished, test } from 'vitest'
import { startTextGateway } from '../text-resilience/start-text-gateway.ts'

const PROVIDERS = `
providers:
  own: { driver: text, base_url: VENDOR, api_key: own, models: { old: chat, fresh: chat, bare: chat } }
`
const PRICES =
  'prices: [{ unit: input_token, usd_per_million: 1 }, { unit: output_token, usd_per_million: 5 }]'
const today = new Date().toISOString().slice(0, 10)
const CATALOG = `
models:
  - { model_id: 60, name: own/old, prices_taken: 2020-01-01, ends: 2020-06-01, ${PRICES} }
  - { model_id: 61, name: own/fresh, prices_taken: ${today}, ${PRICES} }
`

test('POST /doctor 200 warns of prices that are older than 90 days, and of a model that its vendor ended', async () => {
  const environment = { ADMIN_API_KEY: 'an-admin-key-of-the-tests', OUTBOUND_ALLOW: '127.0.0.0/8' }
  const gateway = await startTextGateway({ providers: PROVIDERS, catalog: CATALOG, environment })
  onTestFinished(() => gateway.close())
  const answer = await fetch(`${gateway.url}/admin/v1/doctor`, {
    method: 'POST',
    headers: { 'x-admin-key': environment.ADMIN_API_KEY },
  })
  expect(answer.status).toBe(200)
  const { checks } = Object(await answer.json())
  const warnings = checks.filter(({ warning }: { warning?: boolean }) => warning)
  const text = JSON.stringify(warnings)
  expect(text).toMatch(/own.*2020-01-01/)
  expect(text).toMatch(/own\/old.*2020-06-01/)
  expect(text).not.toContain(today)
  expect(text).not.toContain('own/fresh')
  // An operator who added the provider in the console has no sluice.yaml.
  expect(checks).toContainEqual({
    ...{ name: 'model own/bare', ok: false, detail: 'not served: no row of the catalog has this name' },
    fix: expect.stringContaining('"Add models" on the page System of the console'),
  })
})
