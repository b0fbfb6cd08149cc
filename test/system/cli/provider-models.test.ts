import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { realServices } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const KEY = 'key-of-the-test'

test('provider models lists the vendor models with our names for them, and reports a key that is refused', async () => {
  const server = createServer((request, response) => {
    const isRight = request.headers.authorization === `Bearer ${KEY}`
    const body = { object: 'list', data: ['vendor-m', 'vendor-new'].map((id) => ({ id, object: 'model' })) }
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (key: string, ...more: string[]) => {
    const models = '{ m: { dialect: chat, upstream: vendor-m } }'
    const loadConfig = () =>
      readConfig({
        environment: { SLUICE_CONFIG: 'sluice.yaml', LOG_LEVEL: 'silent' },
        readFile: () =>
          `providers: { acme: { driver: text, base_url: "${url}", api_key: ${key}, models: ${models} } }`,
      })
    const { listVendorModels } = realServices
    return run(['provider', 'models', 'acme', ...more], {
      ...{ ...fakeServices().services, loadConfig, listVendorModels },
    })
  }
  const { exitCode, result } = await ask(KEY)
  expect(exitCode).toBe(0)
  expect(result).toMatch(/^vendor-m +acme\/m$/m)
  expect(result).toMatch(/^vendor-new *$/m)
  expect(JSON.parse((await ask(KEY, '--json')).result)).toEqual([
    { id: 'vendor-m', name: 'm' },
    { id: 'vendor-new', name: null },
  ])
  const refused = await ask('another-key-of-the-test')
  expect(refused).toMatchObject({ exitCode: 1, notice: expect.stringContaining('401') })
})
