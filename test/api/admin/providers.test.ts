import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectPublished } from './expect-published.ts'
import { type AdminApi, startAdminApi, withAdminApi } from './start-admin-api.ts'

const KEY = 'sk-a-long-key-of-the-vendor-wxyz'
const ACME = {
  name: 'acme',
  driver: 'text',
  base_url: 'https://api.acme.example',
  api_key: KEY,
  models: { large: { dialect: 'chat', upstream: 'acme-large' }, small: 'messages' },
}
const FILE = `
providers:
  filed: { driver: text, base_url: SANDBOX/text, api_key: sk-of-the-file-abcd, models: { model-4.1: chat } }
`

let api: AdminApi
const keys: Record<string, string> = {}
beforeAll(async () => {
  api = await startAdminApi({ providers: FILE, environment: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
  for (const role of ['viewer', 'operator', 'owner']) {
    const { body } = await api.ask('POST /operators', { body: { name: `the ${role}`, role } })
    keys[role] = String(body.token)
  }
})
afterAll(() => api.close())

const add = (change: object = {}) => api.ask('POST /providers', { body: { ...ACME, ...change } })
const patch = (name: string, body: object, role = 'owner') =>
  api.ask(`PATCH /providers/${name}`, { body, key: keys[role] })
const drop = (name: string) => api.ask(`DELETE /providers/${name}`)
const auditOf = async (subject: string) =>
  (await api.ask(`GET /audit?subject=${subject}`)).body.data as {
    action: string
    actor: string
    detail: object
  }[]

describe('POST /providers', () => {
  test('200 stores the provider, shows it without its key, and writes an audit row', async () => {
    const added = await add()
    expectPublished('adminAddProvider', added.body)
    expect(added).toMatchObject({
      status: 200,
      body: {
        ...{ name: 'acme', driver: 'text', source: 'store', state: 'active', base_url: ACME.base_url },
        ...{ models: ['large', 'small'], key_hints: ['wxyz'] },
        settings: { driver: 'text', base_url: ACME.base_url, models: ACME.models },
      },
    })
    const listed = await api.ask('GET /providers')
    expect(listed.body.data).toMatchObject([
      { name: 'filed', source: 'file', state: 'active', key_hints: ['abcd'], settings: null },
      { name: 'acme', source: 'store' },
    ])
    const shown = await api.ask('GET /providers/acme')
    expectPublished('adminGetProvider', shown.body)
    expect(added.text + listed.text + shown.text + (await api.ask('GET /audit')).text).not.toContain(KEY)
    expect(await auditOf('acme')).toMatchObject([
      { action: 'provider.add', actor: 'admin key', detail: { driver: 'text', base_url: ACME.base_url } },
    ])
    await drop('acme')
  })

  test('200 takes several keys with weights', async () => {
    const api_keys = [KEY, { key: 'sk-another-long-key-efgh', weight: 2 }]
    const { api_key: _, ...rest } = ACME
    expect(await api.ask('POST /providers', { body: { ...rest, name: 'several', api_keys } })).toMatchObject({
      status: 200,
      body: { key_hints: ['wxyz', 'efgh'] },
    })
    await drop('several')
  })

  test.each([
    ['an unknown driver', { driver: 'txt' }, 'driver', /Use one of|vendor-a/],
    ['an unknown member', { base_urls: 'x' }, 'base_urls', /Did you mean base_url\?/],
    [
      'an unknown member of a model',
      { models: { m: { dialect: 'chat', upstrem: 'x' } } },
      'models.m.upstrem',
      /Did you mean upstream\?/,
    ],
    ['a wrong dialect', { models: { m: 'chats' } }, 'models.m', /chat/],
    ['no model', { models: {} }, 'models', /no model is listed/],
    ['no key', { api_key: undefined }, 'api_key', /it is missing/],
    ['a variable', { api_key: `\${ACME_KEY}` }, 'api_key', /variables are not filled in here/],
    ['a wrong name', { name: 'a b' }, 'name', /is not a provider name/],
    ['a private address', { base_url: 'http://10.1.2.3:8000' }, 'base_url', /OUTBOUND_ALLOW/],
    ['the address of cloud metadata', { base_url: 'http://169.254.169.254' }, 'base_url', /OUTBOUND_ALLOW/],
  ])('400 for %s, and nothing is stored', async (_what, change, param, message) => {
    const answer = await add(change)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(message)
    expect(answer.body.error).toContain(param)
    expect(answer.text).not.toContain(KEY)
    expect(await api.store.providers.list()).toEqual([])
  })

  test('403 for an operator and a viewer', async () => {
    for (const role of ['operator', 'viewer'])
      expect(await api.ask('POST /providers', { body: ACME, key: keys[role] })).toMatchObject({ status: 403 })
  })

  test('409 for a name in use, in the store and in the file', async () => {
    await add()
    expect(await add({ base_url: 'https://other.example' })).toMatchObject({
      status: 409,
      body: { code: 'provider_name_in_use' },
    })
    expect(await add({ name: 'filed' })).toMatchObject({
      status: 409,
      body: { code: 'provider_from_file' },
    })
    expect(await api.ask('GET /providers/acme')).toMatchObject({ body: { base_url: ACME.base_url } })
    await drop('acme')
  })
})

describe('PATCH /providers/{name}', () => {
  test('200 replaces whole members, and leaves the others', async () => {
    await add({ chat: { instructions: 'system', leaves_out: ['user'] } })
    const changed = await patch('acme', { models: { large: 'chat' }, chat: { path: '/chat/completions' } })
    expectPublished('adminUpdateProvider', changed.body)
    expect(changed).toMatchObject({ status: 200, body: { models: ['large'], key_hints: ['wxyz'] } })
    expect(changed.body.settings).toEqual({
      ...{ driver: 'text', base_url: ACME.base_url },
      ...{ models: { large: 'chat' }, chat: { path: '/chat/completions' } },
    })
    expect((await patch('acme', { chat: null })).body.settings).not.toHaveProperty('chat')
    expect((await auditOf('acme')).slice(0, 2)).toMatchObject([
      { action: 'provider.update', actor: 'the owner', detail: { members: 'chat' } },
      { action: 'provider.update', actor: 'the owner', detail: { members: 'chat, models' } },
    ])
    await drop('acme')
  })

  test('200 replaces the key by several, and back', async () => {
    await add()
    const several = await patch('acme', {
      api_keys: ['sk-the-first-long-key-1111', 'sk-the-second-key-2222'],
    })
    expect(several).toMatchObject({ status: 200, body: { key_hints: ['1111', '2222'] } })
    expect(await patch('acme', { api_key: KEY })).toMatchObject({
      status: 200,
      body: { key_hints: ['wxyz'] },
    })
    await drop('acme')
  })

  test('400 for settings that the file would refuse, and the old ones stay', async () => {
    await add()
    for (const change of [
      { base_url: 'http://10.0.0.1' },
      { colour: 'red' },
      { models: {} },
      { api_key: null },
    ])
      expect(await patch('acme', change)).toMatchObject({ status: 400 })
    expect(await api.ask('GET /providers/acme')).toMatchObject({
      body: { base_url: ACME.base_url, models: ['large', 'small'] },
    })
    await drop('acme')
  })

  test('403 for an operator who changes a key or its destination; 200 for other fields', async () => {
    await add()
    for (const change of [
      { api_key: KEY },
      { api_keys: [KEY] },
      { base_url: 'https://evil.example' },
      { version_header: 'x' },
      { organization: 'org_1' },
      { driver: 'vendor-b' },
    ])
      expect(await patch('acme', change, 'operator')).toMatchObject({ status: 403 })
    expect(await patch('acme', { state: 'disabled' }, 'viewer')).toMatchObject({ status: 403 })
    expect(await patch('acme', { state: 'disabled', models: { large: 'chat' } }, 'operator')).toMatchObject({
      status: 200,
      body: { state: 'disabled', models: ['large'] },
    })
    await drop('acme')
  })

  test('404 for an unknown name, 409 for a provider of the file', async () => {
    expect(await patch('unknown', { state: 'disabled' })).toMatchObject({ status: 404 })
    expect(await patch('filed', { state: 'disabled' })).toMatchObject({
      status: 409,
      body: { code: 'provider_from_file' },
    })
  })
})

describe('DELETE /providers/{name}', () => {
  test('200 removes it with its keys, 404 afterwards', async () => {
    await add()
    expect(await drop('acme')).toMatchObject({ status: 200, body: { name: 'acme' } })
    expect(await api.store.providers.list()).toEqual([])
    expect(await drop('acme')).toMatchObject({ status: 404 })
    expect((await auditOf('acme'))[0]).toMatchObject({ action: 'provider.remove' })
  })

  test('409 for a provider of the file', async () => {
    expect(await drop('filed')).toMatchObject({
      status: 409,
      body: { code: 'provider_from_file' },
    })
  })
})

test('GET /providers 200 shows a provider of the store as shadowed when the file has its name', async () => {
  await add({ name: 'later' })
  const row = (await api.store.providers.list())[0]
  const shadowing = await withAdminApi({ providers: FILE.replace('filed', 'acme') })
  if (row !== undefined)
    await shadowing.store.providers.add(
      { ...row, name: 'acme' },
      {
        id: 'aud_s',
        atMs: 0,
        actor: 'cli',
        action: 'provider.add',
        organizationId: null,
        subject: 'acme',
        detail: {},
      },
    )
  const { body } = await shadowing.ask('GET /providers')
  expect(body.data).toMatchObject([
    { name: 'acme', source: 'file', state: 'active' },
    { name: 'acme', source: 'store', state: 'shadowed' },
  ])
  await drop('later')
})

test('GET /presets 200 lists vendors with their models, prices and needs', async () => {
  const { body } = await api.ask('GET /presets')
  expectPublished('adminListPresets', body)
  const presets = body.data as { name: string; settings: object }[]
  expect(presets.find(({ name }) => name === 'openai')).toMatchObject({
    ...{ title: 'OpenAI', driver: 'text', needs_key: true, needs_base_url: false },
    settings: { driver: 'text', base_url: 'https://api.openai.com' },
  })
  expect(presets.find(({ name }) => name === 'ollama')).toMatchObject({
    needs_key: false,
    needs_base_url: true,
  })
  expect(JSON.stringify(presets)).not.toContain('api_key')
  for (const { name, settings } of presets) {
    const base_url = 'https://vendor.example'
    const made = await api.ask('POST /providers', { body: { ...settings, base_url, name, api_key: KEY } })
    expect(made).toMatchObject({ status: 200 })
    await drop(name)
  }
})
