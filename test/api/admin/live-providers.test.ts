import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type AdminApi, withAdminApi } from './start-admin-api.ts'

const ALLOW = { OUTBOUND_ALLOW: '127.0.0.0/8' }
const KEY = 'sk-a-long-key-of-the-vendor-wxyz'

/** The address of the sandbox's text vendors; the tests store it as the address of a real vendor. */
async function sandboxAt(api: AdminApi): Promise<string> {
  const { body } = await api.ask('GET /providers')
  const [vendor] = (body.data as { name: string; base_url: string }[]).filter(
    ({ name }) => name === 'vendorC',
  )
  return vendor?.base_url ?? ''
}

function post(api: AdminApi, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${api.tenant.key}`, 'content-type': 'application/json' }
  return fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** A vendor that answers every call with the same reply, and records the keys. */
async function startVendor(): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = []
  const reply = {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'model-4.1' },
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello.' } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

/** A vendor that lists these models for the right key. */
async function startListingVendor(ids: string[]): Promise<string> {
  const server = createServer((request, response) => {
    const isRight = request.url === '/v1/models' && request.headers.authorization === `Bearer ${KEY}`
    const body = { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) }
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const speak = (api: AdminApi, model = 'vendorC/model-4.1') =>
  post(api, '/v1/responses', { model, input: 'hi', max_output_tokens: 20 })

async function modelsOf(api: AdminApi): Promise<string[]> {
  const headers = { authorization: `Bearer ${api.tenant.key}` }
  const body = (await (await fetch(`${api.url}/v1/models`, { headers })).json()) as { data: { id: string }[] }
  return body.data.map(({ id }) => id)
}

/** A provider whose model is in the catalog, so that it has a price. */
const vendorC = (base_url: string) => ({
  ...{ name: 'vendorC', driver: 'text', base_url, api_key: KEY },
  models: { 'model-4.1': { dialect: 'chat' } },
})

test('a provider serves without a restart, and the sandbox leaves the lists', async () => {
  const api = await withAdminApi({ environment: ALLOW })
  expect(await modelsOf(api)).toContain('vendorA/gen-2.0')
  const base_url = await sandboxAt(api)
  expect(await api.ask('POST /providers', { body: vendorC(base_url) })).toMatchObject({ status: 200 })
  await expect.poll(() => modelsOf(api)).toEqual(['vendorC/model-4.1'])
  const answer = await speak(api)
  expect(answer.status).toBe(200)
  expect((await speak(api, 'vendorC/model-o3')).status).toBe(503)
  const { body } = await api.ask('GET /models')
  expect(body.data).toContainEqual(
    expect.objectContaining({
      name: 'vendorD/text-large',
      servable: false,
      reason: 'there is no provider "vendorD"',
    }),
  )

  expect(await api.ask('PATCH /providers/vendorC', { body: { state: 'disabled' } })).toMatchObject({
    status: 200,
  })
  await expect.poll(async () => (await speak(api)).status).toBe(503)
  expect(await (await speak(api)).json()).toMatchObject({ error: { code: 'provider_not_configured' } })
  expect((await api.ask('GET /models')).body.data).toContainEqual(
    expect.objectContaining({
      name: 'vendorC/model-4.1',
      servable: false,
      reason: 'the provider "vendorC" is disabled',
    }),
  )
  expect(await modelsOf(api)).toEqual([])

  await api.ask('PATCH /providers/vendorC', { body: { state: 'active' } })
  await expect.poll(async () => (await speak(api)).status).toBe(200)
  await api.ask('DELETE /providers/vendorC')
  await expect.poll(() => modelsOf(api)).toContain('vendorA/gen-2.0')
})

test('a stored provider whose host name resolves to this machine is not called', async () => {
  const api = await withAdminApi({})
  const vendor = await startVendor()
  await api.ask('POST /providers', { body: vendorC('https://vendor.invalid') })
  const [row] = await api.store.providers.list()
  if (row === undefined) throw new Error('the provider is not stored')
  const settings = { ...row.settings, base_url: vendor.url.replace('127.0.0.1', 'localhost') }
  const audit = { id: 'aud_1', atMs: 1, actor: 'test', action: 'test', organizationId: null, subject: '' }
  await api.store.providers.change({ ...row, settings, changedAtMs: 1 }, { ...audit, detail: {} })
  expect(await api.ask('POST /providers/vendorC/test')).toMatchObject({ status: 200, body: { ok: false } })
  expect(await api.ask('GET /providers/vendorC/models')).toMatchObject({ status: 502 })
  expect((await speak(api)).status).toBe(503)
  expect(vendor.keys).toEqual([])
})

test('a change gives a fresh breaker and fresh keys, and calls in flight end with the old settings', async () => {
  const api = await withAdminApi({ environment: ALLOW })
  const base_url = await sandboxAt(api)
  await api.ask('POST /providers', { body: vendorC(base_url) })
  await expect.poll(() => modelsOf(api)).toEqual(['vendorC/model-4.1'])
  await api.vendor.breakDown({ times: 1, fault: { kind: 'status', status: 401 } })
  expect((await speak(api)).status).toBe(503)
  const resting = async () => {
    const { body } = await api.ask('GET /providers/vendorC')
    return Object(body.health).keys_resting
  }
  expect(await resting()).toBe(1)
  await api.ask('PATCH /providers/vendorC', { body: { api_key: 'sk-the-next-key-of-the-vendor' } })
  await expect.poll(resting).toBe(0)
  const streaming = await post(api, '/v1/responses', {
    ...{ model: 'vendorC/model-4.1', input: 'tell me a story', max_output_tokens: 200, stream: true },
  })
  const vendor = await startVendor()
  await api.ask('PATCH /providers/vendorC', { body: { base_url: vendor.url, api_key: KEY } })
  await expect
    .poll(async () => {
      expect((await speak(api)).status).toBe(200)
      return vendor.keys.length
    })
    .toBeGreaterThan(0)
  expect(await streaming.text()).toContain('response.completed')
})

test('open video tasks of the sandbox end there, and new ones are refused', async () => {
  const api = await withAdminApi({
    environment: { ...ALLOW, VIDEO_SWEEP_INTERVAL_MS: '100' },
    sandboxSpeed: 60,
  })
  const order = {
    model: 'vendorA/gen-2.0',
    content: [{ type: 'text', text: 'a cat' }],
    duration: 5,
    resolution: '720p',
    ratio: '16:9',
  }
  const made = (await (await post(api, '/v1/video/generations', order)).json()) as {
    id: string
    task_id?: string
  }
  const base_url = await sandboxAt(api)
  await api.ask('POST /providers', { body: vendorC(base_url) })
  await expect.poll(() => modelsOf(api)).toEqual(['vendorC/model-4.1'])
  const refused = await post(api, '/v1/video/generations', order)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: { code: 'provider_not_configured' } })
  const id = made.task_id ?? made.id
  await expect
    .poll(async () => (await api.ask(`GET /tasks/${id}`)).text, { interval: 200 })
    .toMatch(/"status":\s*"succeeded"/)
})

test.each(['active', 'disabled'])(
  'open video tasks of the sandbox end there, also when a provider takes the name of their vendor: %s',
  async (state) => {
    const environment = { ...ALLOW, VIDEO_SWEEP_INTERVAL_MS: '100' }
    const api = await withAdminApi({ environment, sandboxSpeed: 60 })
    const order = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a cat' }], duration: 5 }
    const { id } = (await (await post(api, '/v1/video/generations', order)).json()) as { id: string }
    const vendor = createServer((_request, response) => void response.writeHead(404).end('{}'))
    await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void vendor.close())
    const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
    const settings = { driver: 'vendor-a', base_url, api_key: KEY, models: { 'gen-2.0': 'gen-2.0' } }
    const added = await api.ask('POST /providers', { body: { name: 'vendorA', state, ...settings } })
    expect(added.status).toBe(200)
    await expect
      .poll(async () => (await api.ask(`GET /tasks/${id}`)).text, { interval: 200 })
      .toMatch(/"status":\s*"succeeded"/)
  },
)

test('DELETE /providers/{name} 409 while a video task is open; a disabled provider still ends it', async () => {
  const api = await withAdminApi({ environment: { ...ALLOW, VIDEO_SWEEP_INTERVAL_MS: '100' } })
  const { body } = await api.ask('GET /providers')
  const address = (body.data as { name: string; base_url: string }[]).find(({ name }) => name === 'vendorA')
  const vendorA = {
    ...{ name: 'vendorA', driver: 'vendor-a', base_url: address?.base_url, api_key: 'sandbox' },
    models: { 'gen-2.0': 'gen-2.0' },
  }
  expect(await api.ask('POST /providers', { body: vendorA })).toMatchObject({ status: 200 })
  await expect.poll(() => modelsOf(api)).toEqual(['vendorA/gen-2.0'])
  const order = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a cat' }], duration: 5 }
  const made = (await (await post(api, '/v1/video/generations', order)).json()) as {
    id: string
    task_id?: string
  }
  expect(await api.ask('DELETE /providers/vendorA')).toMatchObject({
    status: 409,
    body: { code: 'provider_in_use' },
  })
  await api.ask('PATCH /providers/vendorA', { body: { state: 'disabled' } })
  await expect.poll(async () => (await post(api, '/v1/video/generations', order)).status).toBe(503)
  const id = made.task_id ?? made.id
  await expect
    .poll(async () => (await api.ask(`GET /tasks/${id}`)).text, { interval: 200 })
    .toMatch(/"status":\s*"succeeded"/)
  expect(await api.ask('DELETE /providers/vendorA')).toMatchObject({ status: 200 })
})

test('GET /providers/{name}/models 200 lists the vendor models, 400 for a vendor without a list, 502 for a failed call, 404 for an unknown name', async () => {
  const api = await withAdminApi({ environment: ALLOW })
  const base_url = await sandboxAt(api)
  await api.ask('POST /providers', { body: { ...vendorC(base_url), state: 'disabled' } })
  // The sandbox has no list of models.
  expect(await api.ask('GET /providers/vendorC/models')).toMatchObject({ status: 502 })
  const listing = await startListingVendor(['model-5', 'model-4.1'])
  await api.ask('POST /providers', { body: { ...vendorC(listing), name: 'listing', state: 'disabled' } })
  expect(await api.ask('GET /providers/listing/models')).toMatchObject({
    status: 200,
    body: {
      data: [
        { id: 'model-5', name: null },
        { id: 'model-4.1', name: 'model-4.1' },
      ],
    },
  })
  const b = { name: 'vendorB', driver: 'vendor-b', base_url: 'https://b.example', api_key: KEY }
  await api.ask('POST /providers', { body: b })
  expect(await api.ask('GET /providers/vendorB/models')).toMatchObject({ status: 400 })
  expect(await api.ask('GET /providers/none/models')).toMatchObject({ status: 404 })
  expect(await api.ask('POST /providers/vendorC/test')).toMatchObject({ status: 200, body: { ok: true } })
})
