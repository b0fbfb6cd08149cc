import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { realServices } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { testProvider as testWithCatalog } from '../../../src/compose/diagnosis/test-provider.ts'
import type { ModelEndpoint } from '../../../src/domain/catalog/model-endpoints.ts'
import { freePort } from '../../servers/free-port.ts'
import { startTlsTarget } from '../faults/harness/tls-target.ts'
import { dataFolder } from '../lifecycle/data-folder.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const KEY = 'key-of-the-test'

interface Diagnosis {
  exitCode: number
  notice: string
  checks: { detail: string; fix: string }[]
}

interface Asked {
  method: string | undefined
  path: string | undefined
  body: string
}

/** A vendor of the test's own, and what it was asked. */
async function listen(answer: RequestListener): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    asked.push({ method: request.method, path: request.url, body: await text(request) })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const json =
  (status: number, body: object): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** `sluice provider test acme --json`. */
async function testProvider(providers: string, name = 'acme'): Promise<Record<string, unknown> & Diagnosis> {
  const loadConfig = () =>
    readConfig({
      environment: {
        SLUICE_CONFIG: 'sluice.yaml',
        LOG_LEVEL: 'silent',
        DATA_DIR: join(dataFolder(), 'none'),
      },
      readFile: () => `providers:\n${providers}`,
    })
  const services = { ...fakeServices().services, loadConfig, testProvider: realServices.testProvider }
  const { exitCode, result, notice } = await run(['provider', 'test', name, '--json'], services)
  expect(result + notice).not.toContain(KEY)
  return { exitCode, notice, checks: [], ...(result === '' ? {} : JSON.parse(result)) }
}

const textProvider = (url: string, models = '{ m: { dialect: chat, upstream: vendor-m } }') =>
  `  acme: { driver: text, base_url: "${url}", api_key: ${KEY}, models: ${models} }\n`

test.each<[string, () => Promise<string>, string]>([
  ['a name that does not resolve', async () => 'http://no-such-host.invalid', 'dns'],
  ['a port where nothing listens', async () => `http://127.0.0.1:${await freePort()}`, 'port'],
  ['a certificate that is not trusted', () => tlsUrl('https'), 'tls'],
  ['http:// in place of https://', () => tlsUrl('http'), 'tls'],
])('provider test: %s', async (_name, urlOf, cause) => {
  const found = await testProvider(textProvider(await urlOf()))
  expect(found).toMatchObject({
    ...{ exitCode: 1, ok: false, notice: 'One check failed.\n' },
    checks: [
      { name: 'model acme/m', ok: false, cause, fix: expect.stringContaining('providers.acme.base_url') },
    ],
  })
})

async function tlsUrl(protocol: string): Promise<string> {
  const target = await startTlsTarget(json(400, {}), '127.0.0.1')
  onTestFinished(() => target.close())
  return `${protocol}://127.0.0.1:${target.port}`
}

const NO_MODEL = { error: { message: 'The model `vendor-m` does not exist', code: 'model_not_found' } }

test.each([
  ['401', 401, { error: { message: `Incorrect API key: ${KEY}` } }, 'key', /api_key/],
  ['403', 403, { error: { message: 'Forbidden' } }, 'key', /api_key/],
  ['404 without a word', 404, {}, 'path', /base_url/],
  ['404 of a framework', 404, { detail: 'Not Found' }, 'path', /base_url/],
  ['405', 405, { error: 'Method Not Allowed' }, 'path', /base_url/],
  ['308', 308, {}, 'path', /redirects/],
  ['404 of OpenAI', 404, NO_MODEL, 'model', /upstream/],
  [
    '404 of Anthropic',
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'model: vendor-m' } },
    'model',
    /upstream/,
  ],
  ['400 of DeepSeek', 400, { error: { message: 'Model Not Exist' } }, 'model', /upstream/],
  ['400 of Mistral', 400, { object: 'error', message: 'Invalid model: vendor-m' }, 'model', /upstream/],
  [
    '404 of Ollama',
    404,
    { error: { message: 'model "vendor-m" not found, try pulling it first' } },
    'model',
    /upstream/,
  ],
  [
    '403 without access to the model',
    403,
    { error: { message: 'Project does not have access to model `vendor-m`', code: 'model_not_found' } },
    'model',
    /upstream/,
  ],
  ['402', 402, { error: { message: 'Insufficient Balance' } }, 'account', /balance/],
  ['429', 429, { error: { message: 'You exceeded your current quota' } }, 'account', /limits/],
  ['400 about a field', 400, { error: { message: "property 'x' is unsupported" } }, 'request', /dialect/],
  ['400 about a parameter', 400, { error: { message: 'not for this model' } }, 'request', /dialect/],
  ['500', 500, { error: { message: 'oops' } }, 'vendor', /later/],
])('provider test: a vendor that answers %s', async (_name, status, body, cause, reported) => {
  const vendor = await listen(json(status, body))
  const found = await testProvider(textProvider(vendor.url))
  expect(found).toMatchObject({ exitCode: 1, ok: false, checks: [{ ok: false, cause }] })
  const [check] = found.checks
  expect(`${check?.detail} ${check?.fix}`).toMatch(reported)
})

test.each([
  [200, 'path'],
  [503, 'vendor'],
])('provider test: a page instead of JSON, status %i', async (status, cause) => {
  const vendor = await listen((_request, response) => void response.writeHead(status).end('<html>'))
  const found = await testProvider(textProvider(vendor.url))
  expect(found).toMatchObject({ exitCode: 1, checks: [{ ok: false, cause }] })
})

test('provider test: each text model gets one cheap call in its own dialect', async () => {
  const vendor = await listen(json(200, { ok: true }))
  const models = '{ a: chat, b: { dialect: responses, upstream: own-b }, c: messages }'
  expect(await testProvider(textProvider(vendor.url, models))).toMatchObject({
    ...{ exitCode: 0, ok: true, notice: '' },
    checks: ['a', 'b', 'c'].map((model) => ({
      name: `model acme/${model}`,
      ok: true,
      detail: 'answers (HTTP 200)',
    })),
  })
  const bodies = vendor.asked.map(({ path, body }) => ({ path, ...JSON.parse(body) }))
  expect(bodies.toSorted((one, other) => one.path.localeCompare(other.path))).toMatchObject([
    { path: '/v1/chat/completions', model: 'a', max_completion_tokens: 16 },
    { path: '/v1/messages', model: 'c', max_tokens: 16 },
    { path: '/v1/responses', model: 'own-b', max_output_tokens: 16, store: false },
  ])
})

test('provider test: a model for embeddings only gets a call for an embedding', async () => {
  const vendor = await listen(json(200, { ok: true }))
  const models = '{ e: { dialect: chat, upstream: own-e }, both: chat, plain: chat }'
  const own = `  beside: { driver: text, base_url: "${vendor.url}", api_key: ${KEY}, chat: { path: /openai/chat/completions }, models: { e: chat } }\n`
  const config = readConfig({
    environment: { SLUICE_CONFIG: 'sluice.yaml', LOG_LEVEL: 'silent' },
    readFile: () => `providers:\n${textProvider(vendor.url, models)}${own}`,
  })
  const row = (name: string, endpoints: ModelEndpoint[]) => ({ name, endpoints })
  const catalog = [
    ...[row('acme/e', ['embeddings']), row('acme/both', ['chat', 'embeddings'])],
    ...[row('beside/e', ['embeddings']), row('other/plain', ['embeddings'])],
  ]
  for (const provider of config.providers)
    for (const check of await testWithCatalog(config, provider, catalog))
      expect(check).toMatchObject({ ok: true, detail: 'answers (HTTP 200)' })
  const asked = vendor.asked.map(({ path, body }) => `${path} ${body}`)
  expect(asked.filter((call) => call.includes('embeddings')).toSorted()).toEqual([
    '/openai/embeddings {"model":"e","input":"hello"}',
    '/v1/embeddings {"model":"own-e","input":"hello"}',
  ])
  expect(asked.filter((call) => call.startsWith('/v1/chat/completions'))).toHaveLength(2)
})

test('provider test: a second key gets a call without a model', async () => {
  const vendor = await listen((request, response) => {
    const isSecond = request.headers.authorization === 'Bearer second'
    json(isSecond ? 401 : 200, {})(request, response)
  })
  const provider = `  acme: { driver: text, base_url: "${vendor.url}", api_keys: [first, second], models: { m: chat } }\n`
  expect(await testProvider(provider)).toMatchObject({
    exitCode: 1,
    checks: [{ ok: true }, { name: 'provider acme (chat, key 2)', ok: false, cause: 'key' }],
  })
  expect(vendor.asked.filter(({ body }) => body === '{}')).toHaveLength(1)
})

test('provider test: video providers are asked for an unknown task, and make nothing', async () => {
  const vendor = await listen(json(404, { error: { code: 'NotFound' }, code: 404 }))
  const providers = `
  vendorA: { driver: vendor-a, base_url: "${vendor.url}", api_key: ${KEY}, models: { gen-2.0: id } }
  vendorB: { driver: vendor-b, base_url: "${vendor.url}", api_key: ${KEY} }
`
  for (const name of ['vendorA', 'vendorB'])
    expect(await testProvider(providers, name)).toMatchObject({ exitCode: 0, ok: true })
  expect(vendor.asked.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test('provider test: the sandbox answers like text vendors', async () => {
  const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: Date.now })
  onTestFinished(() => sandbox.close())
  const models = '{ a: chat, b: responses, c: messages }'
  expect(
    await testProvider(textProvider(`${sandbox.url}/text`, models).replace(KEY, 'sandbox')),
  ).toMatchObject({
    exitCode: 0,
    ok: true,
  })
})

/** `sluice provider test NAME --json` where no provider is configured. */
async function testSandboxVendor(name: string, settings: Record<string, string>) {
  const environment = { LOG_LEVEL: 'silent', SANDBOX: 'on', ...settings }
  const services = {
    ...fakeServices({ environment }).services,
    testProvider: realServices.testProvider,
    findSandboxVendor: realServices.findSandboxVendor,
  }
  const { exitCode, result, notice } = await run(['provider', 'test', name, '--json'], services)
  return { exitCode, notice, ...(result === '' ? {} : JSON.parse(result)) }
}

test.each(['vendorA', 'vendorB', 'vendorC', 'vendorD'])(
  'provider test: the sandbox vendor %s answers on SANDBOX_PORT',
  async (name) => {
    const sandbox = await startSandbox({ port: 0, speed: 60, nowMs: Date.now })
    onTestFinished(() => sandbox.close())
    const SANDBOX_PORT = String(sandbox.port)
    expect(await testSandboxVendor(name, { SANDBOX_PORT })).toMatchObject({ exitCode: 0, ok: true })
  },
)

test('provider test names a fix for a sandbox vendor with an unknown port', async () => {
  expect(await testSandboxVendor('vendorA', {})).toMatchObject({
    ...{ exitCode: 1, notice: expect.stringMatching(/sandbox vendor.*ADMIN_API_KEY.*SANDBOX_PORT/) },
  })
})

test('provider test: no sandbox vendor is found while the sandbox does not run', async () => {
  expect(await testSandboxVendor('vendorA', { SANDBOX: 'off', SANDBOX_PORT: '1' })).toMatchObject({
    ...{ exitCode: 1, notice: expect.stringMatching(/There is no provider "vendorA"/) },
  })
})

test('provider test: an unknown provider is reported with the existing names', async () => {
  const providers = textProvider('http://127.0.0.1:9')
  expect(await testProvider(providers, 'acne')).toMatchObject({
    exitCode: 1,
    notice: expect.stringMatching(/Did you mean acme\?/),
  })
  expect(await testProvider(providers, 'elsewhere')).toMatchObject({
    notice: expect.stringMatching(/They are acme\./),
  })
})

test('provider list: name, driver, address and models, without keys', async () => {
  const services = {
    ...fakeServices().services,
    loadConfig: () =>
      readConfig({
        environment: { SLUICE_CONFIG: 'sluice.yaml' },
        readFile: () => `providers:\n${textProvider('https://acme.example', '{ m: chat, n: chat }')}`,
      }),
  }
  const { exitCode, result } = await run(['provider', 'list'], services)
  expect(exitCode).toBe(0)
  expect(result).toMatch(/^acme +text +sluice\.yaml +active +https:\/\/acme\.example +all +m n$/m)
  const listed = await run(['provider', 'list', '--json'], services)
  expect(JSON.parse(listed.result)).toEqual([
    ...[
      {
        name: 'acme',
        driver: 'text',
        base_url: 'https://acme.example',
        source: 'file',
        state: 'active',
        organization_id: null,
        models: ['m', 'n'],
        key_hints: [expect.any(String)],
        settings: null,
        changed_at: null,
      },
    ],
  ])
  expect(result + listed.result).not.toContain(KEY)
  const none = await run(['provider', 'list'], fakeServices().services)
  expect(none).toMatchObject({ exitCode: 0, result: expect.stringMatching(/sluice init/) })
})
