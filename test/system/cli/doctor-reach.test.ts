import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { checkProviders } from '../../../src/compose/diagnosis/check-reach.ts'
import { diagnosisTools } from '../../../src/compose/tools.ts'
import { freePort } from '../../servers/free-port.ts'
import { startTlsTarget } from '../faults/harness/tls-target.ts'

async function listenWithTls(): Promise<number> {
  const target = await startTlsTarget(json(400, {}), '127.0.0.1')
  onTestFinished(() => target.close())
  return target.port
}

async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Report of doctor about one text provider that speaks chat. */
async function check(baseUrl: string, key = 'key-of-the-test') {
  const config = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', LOG_LEVEL: 'silent' },
    readFile: () =>
      `providers: { acme: { driver: text, base_url: "${baseUrl}", api_key: ${key}, models: { m: chat } } }`,
  })
  const [found, ...more] = await checkProviders(config, diagnosisTools(config))
  expect(more).toEqual([])
  expect(JSON.stringify(found)).not.toContain(key)
  return found
}

const json =
  (status: number, body: object): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

test('an unknown name is reported as a DNS fault', async () => {
  const found = await check('http://no-such-host.invalid')
  expect(found).toMatchObject({ ok: false, detail: expect.stringMatching(/cannot be resolved \(DNS\)/) })
})

test('a port where nothing listens is refused', async () => {
  const port = await freePort()
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    detail: `nothing listens on 127.0.0.1, port ${port} (connection refused)`,
  })
})

test('a certificate that this machine does not trust is reported as a TLS fault', async () => {
  const port = await listenWithTls()
  expect(await check(`https://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/certificate of 127\.0\.0\.1 is not valid here/),
    fix: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
  })
})

test('https:// to a port that speaks plain HTTP is named', async () => {
  const port = await listen(json(400, {}))
  expect(await check(`https://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/does not speak TLS, and providers\.acme\.base_url begins with https/),
  })
})

test('http:// to a port that speaks TLS is named', async () => {
  const port = await listenWithTls()
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/speaks TLS, and providers\.acme\.base_url begins with http:/),
  })
})

test.each([401, 403])('a %d is about the key', async (status) => {
  const port = await listen(json(status, { error: {} }))
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: false,
    detail: `it refuses the key (HTTP ${status})`,
  })
})

test('a 404 about the model comes from an API', async () => {
  const error = { message: 'The model `` does not exist.', code: 'model_not_found' }
  const port = await listen(json(404, { error }))
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: true,
    detail: 'answers and takes the key (HTTP 404)',
  })
})

test.each([
  ['404 in JSON', json(404, { error: 'not found' })],
  ['404 in HTML', (_request, response) => void response.writeHead(404).end('<html>')],
  ['200 in HTML', (_request, response) => void response.writeHead(200).end('<html>')],
] satisfies [string, RequestListener][])('a wrong path: %s', async (_name, answer) => {
  const port = await listen(answer)
  expect(await check(`http://127.0.0.1:${port}/wrong`)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^there is no API of this driver at \/v1\/chat\/completions/),
  })
})

test('an error for an empty request is the answer of a working provider', async () => {
  const port = await listen(json(400, { error: { message: 'model is required' } }))
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    ok: true,
    detail: 'answers and takes the key (HTTP 400)',
  })
})

test('the sandbox vendors pass the checks of every driver', async () => {
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: Date.now })
  onTestFinished(() => sandbox.close())
  const config = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', LOG_LEVEL: 'silent' },
    readFile: () => `
providers:
  vendorA:
    driver: vendor-a
    base_url: ${sandbox.url}/vendor-a/api/v3
    api_key: sandbox
    models: { gen-2.0: gen-2.0 }
    assets: { endpoint: ${sandbox.url}/vendor-a-assets, access_key: sandbox, secret_key: sandbox-secret, region: sandbox, service: assets }
  vendorB: { driver: vendor-b, base_url: ${sandbox.url}/vendor-b, api_key: sandbox }
  vendorC: { driver: text, base_url: ${sandbox.url}/text, api_key: sandbox, models: { a: chat, b: responses, c: messages } }
`,
  })
  const checks = await checkProviders(config, diagnosisTools(config))
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
  expect(checks.map(({ name }) => name)).toEqual([
    'provider vendorA',
    'provider vendorB',
    'provider vendorC (chat)',
    'provider vendorC (responses)',
    'provider vendorC (messages)',
    'assets of vendorA',
  ])
})

test('the assets of a second provider are reported as not used', async () => {
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: Date.now })
  onTestFinished(() => sandbox.close())
  const provider = (name: string) => `
  ${name}:
    driver: vendor-a
    base_url: ${sandbox.url}/vendor-a/api/v3
    api_key: sandbox
    models: { gen-2.0: gen-2.0 }
    assets: { endpoint: ${sandbox.url}/vendor-a-assets, access_key: sandbox, secret_key: sandbox-secret, region: sandbox, service: assets }`
  const config = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', LOG_LEVEL: 'silent' },
    readFile: () => `providers:${provider('vendorA')}${provider('vendorX')}`,
  })
  const checks = await checkProviders(config, diagnosisTools(config))
  expect(checks.slice(2)).toEqual([
    { name: 'assets of vendorA', ok: true, detail: 'answers and takes the signature' },
    {
      ...{ name: 'assets of vendorX', ok: true, warning: true },
      detail: 'not used: vendorA stores all assets',
      fix: 'Take assets out of providers.vendorX.',
    },
  ])
})
