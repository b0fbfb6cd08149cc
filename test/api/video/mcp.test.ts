import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJsonObject, type JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTextApi } from '../text/start-text-api.ts'
import { clientOf, expectApiError, textBody } from './call-api.ts'
import { startVideoApi, type VideoApi } from './start-video-api.ts'
import type { Tenant } from './tenants.ts'

const MODEL = 'vendorB/gen-v4-std'

describe('agents at /mcp', () => {
  let api: VideoApi
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  async function connect({ key }: Pick<Tenant, 'key'>, { url }: Pick<VideoApi, 'url'> = api) {
    const client = new Client({ name: 'an agent of the tests', version: '1.0.0' })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
    await client.connect(Object(transport))
    onTestFinished(() => client.close())
    return {
      client,
      async use(name: string, args: JsonObject = {}, onprogress?: () => void) {
        const result = await client.callTool(
          { name, arguments: args },
          undefined,
          onprogress === undefined ? {} : { onprogress },
        )
        const value = result.structuredContent
        if (!isJsonObject(value)) throw new TypeError(`${name} has no structured content`)
        const [text] = Object(result.content)
        expect(JSON.parse(text.text)).toEqual(value)
        return { isError: result.isError === true, value }
      },
    }
  }

  async function postMessage(message: object | string): Promise<{ status: number; text: string }> {
    const reply = await fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.tenant.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    })
    return { status: reply.status, text: await reply.text() }
  }

  test('the tools and their arguments', async () => {
    const { client } = await connect(api.tenant)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['quote_video', 'create_video', 'get_video', 'list_videos', 'cancel_video'],
      ...['upload_asset', 'get_asset', 'list_assets', 'get_balance'],
    ])
    expect(tools[1]?.inputSchema).toMatchObject({ type: 'object', required: ['prompt', 'model', 'max_usd'] })
    await client.ping()
  })

  test('an agent with one dollar makes one clip, and the second is refused with the reason', async () => {
    const tenant = await api.openTenant({ creditMicros: 1_000_000 })
    const { use, client } = await connect(tenant)
    const order = { prompt: 'a heron at the weir [instant]', model: MODEL, duration: 6 }
    expect(await use('quote_video', order)).toMatchObject({ isError: false, value: { max_micros: 840_000 } })
    const { value: made } = await use('create_video', { ...order, max_usd: 1 })
    expect(made).toMatchObject({ object: 'video.generation.task', model: MODEL, max_micros: 840_000 })
    const task_id = String(made.id)
    const { value: done } = await use('get_video', { task_id })
    expect(done).toMatchObject({
      id: task_id,
      status: 'succeeded',
      content: { video_url: expect.any(String) },
    })
    const second = await use('create_video', { ...order, max_usd: 1 })
    expect(second).toEqual({
      isError: true,
      value: {
        error: {
          code: 'insufficient_balance',
          message: expect.stringContaining('needs 0.84 USD, and 0.16 USD is available'),
          param: null,
          price_micros: 840_000,
          price_usd: 0.84,
        },
      },
    })
    expect((await use('get_balance')).value).toMatchObject({
      ...{ balance_micros: 160_000, held_micros: 0, available_micros: 160_000 },
      spent: [{ model: MODEL, requests: 1, cost_micros: 840_000 }],
    })
    expect((await use('list_videos', { limit: 5 })).value).toMatchObject({ data: [{ id: task_id }] })
    const uri = `sluice://videos/${task_id}`
    const { resources } = await client.listResources()
    expect(resources).toMatchObject([{ uri, mimeType: 'application/json' }])
    const { contents } = await client.readResource({ uri })
    expect(JSON.parse(String(Object(contents[0]).text))).toEqual(done)
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'sluice://videos/{task_id}' },
    ])
  })

  test('max_usd: a more expensive video is refused with its price, and nothing is held', async () => {
    const tenant = await api.openTenant({ creditMicros: 5_000_000 })
    const { use } = await connect(tenant)
    const order = { prompt: 'a heron', model: MODEL, duration: 6 }
    for (const max_usd of [0, 0.839999, 0.5])
      expect(await use('create_video', { ...order, max_usd })).toMatchObject({
        isError: true,
        value: {
          error: { code: 'invalid_parameter', param: 'max_usd', price_micros: 840_000, price_usd: 0.84 },
        },
      })
    for (const wrong of [undefined, '1', -1, null])
      expect(await use('create_video', { ...order, max_usd: wrong })).toMatchObject({
        isError: true,
        value: { error: { code: 'invalid_parameter', param: 'max_usd' } },
      })
    expect((await use('list_videos')).value.data).toEqual([])
    expect((await use('get_balance')).value).toMatchObject({ held_micros: 0, balance_micros: 5_000_000 })
    expect((await use('create_video', { ...order, max_usd: 0.84 })).isError).toBe(false)
    expect((await use('get_balance')).value).toMatchObject({ held_micros: 840_000 })
  })

  test('max_usd: a number that is too large for a limit is refused', async () => {
    const params = { name: 'create_video', arguments: { prompt: 'a heron', model: MODEL, max_usd: 'LIMIT' } }
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { text } = await postMessage(message.replace('"LIMIT"', '1e309'))
    const [, data = ''] = /^data: (.*)$/m.exec(text) ?? []
    expect(JSON.parse(data)).toMatchObject({
      result: {
        isError: true,
        structuredContent: { error: { code: 'invalid_parameter', param: 'max_usd' } },
      },
    })
  })

  test('refusals of an order have the code of the API', async () => {
    const { use } = await connect(api.tenant)
    for (const [args, code] of [
      [{ prompt: 'a heron', model: 'no/model' }, 'model_not_found'],
      [{ prompt: 'a heron' }, 'missing_parameter'],
      [{ model: MODEL }, 'missing_parameter'],
      [{ prompt: ' ', model: MODEL }, 'invalid_parameter'],
      [{ prompt: 'a heron', model: MODEL, image_url: 7 }, 'invalid_parameter'],
      [{ prompt: 'a heron', model: MODEL, duration: '6' }, 'invalid_parameter'],
      [{ prompt: 'a heron', model: MODEL, ratio: '5:1' }, 'invalid_parameter'],
      [{ prompt: 'a heron', model: MODEL, image_url: 'http://a.example/a.png' }, 'invalid_parameter'],
    ] as const)
      expect(await use('quote_video', args)).toMatchObject({ isError: true, value: { error: { code } } })
  })

  test('null counts as a missing argument', async () => {
    const { use } = await connect(await api.openTenant())
    const order = { prompt: 'a heron', model: MODEL, duration: 6 }
    const nulls = { ratio: null, resolution: null, image_url: null }
    expect(await use('quote_video', { ...order, ...nulls })).toMatchObject({ value: { max_micros: 840_000 } })
    expect(await use('list_videos', { limit: null, cursor: null })).toMatchObject({ value: { data: [] } })
    const url = 'https://example.com/weir.png'
    expect((await use('upload_asset', { url, asset_type: null, name: null })).isError).toBe(false)
  })

  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['2030-01-01', '2025-11-25'],
  ])('a client of protocol version %s is answered with %s', async (protocolVersion, offered) => {
    const clientInfo = { name: 'an agent of the tests', version: '1.0.0' }
    const params = { protocolVersion, capabilities: {}, clientInfo }
    const { text } = await postMessage({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(text).toContain(`"protocolVersion":"${offered}"`)
  })

  test('get_video shows the progress until the video has ended', async () => {
    const { use } = await connect(api.tenant)
    const { value } = await use('create_video', { prompt: 'a heron', model: MODEL, max_usd: 1 })
    let count = 0
    const { value: ended } = await use('get_video', { task_id: String(value.id) }, () => {
      count += 1
      api.passSeconds(600)
    })
    expect(ended).toMatchObject({ id: value.id, status: 'succeeded' })
    expect(count).toBeGreaterThanOrEqual(1)
  })

  test('cancel_video cancels a task that has not begun, and does not change an ended one', async () => {
    const { use } = await connect(api.tenant)
    const order = { prompt: 'a heron', model: 'vendorA/gen-2.0', max_usd: 5 }
    const { value: made } = await use('create_video', order)
    const cancelled = await use('cancel_video', { task_id: String(made.id) })
    expect(cancelled).toMatchObject({ isError: false, value: { id: made.id, status: 'cancelled' } })
    const ended = await use('create_video', { ...order, prompt: 'a heron [instant]' })
    const task_id = String(ended.value.id)
    for (let turn = 0; turn < 2; turn += 1)
      expect(await use('cancel_video', { task_id })).toMatchObject({ value: { status: 'succeeded' } })
  })

  test('upload_asset, get_asset and list_assets', async () => {
    const { use } = await connect(await api.openTenant())
    const { value } = await use('upload_asset', { url: 'https://example.com/weir.png', name: 'weir' })
    expect(value).toMatchObject({ object: 'video.asset', status: 'processing' })
    const asset_id = String(value.id)
    expect(await use('get_asset', { asset_id })).toMatchObject({ isError: false, value: { id: asset_id } })
    expect(await use('list_assets', { limit: 5 })).toMatchObject({ value: { items: [{ id: asset_id }] } })
    expect(await use('upload_asset', { url: 'ftp://a' })).toMatchObject({ isError: true })
  })

  test("another key's task and another organization's asset are unknown in every tool and resource", async () => {
    const owner = await api.openTenant()
    const own = await connect(owner)
    const task_id = await clientOf(api, owner).make(textBody('[instant]'))
    await own.use('get_video', { task_id })
    const { value: asset } = await own.use('upload_asset', { url: 'https://example.com/weir.png' })
    const other = await connect(await api.openTenant())
    for (const { use, client } of [await connect(await api.openKey(owner)), other]) {
      for (const tool of ['get_video', 'cancel_video']) {
        const foreign = await use(tool, { task_id })
        expect(foreign).toMatchObject({ isError: true, value: { error: { code: 'task_not_found' } } })
        expect(foreign).toEqual(await use(tool, { task_id: `task_${'0'.repeat(32)}` }))
      }
      expect((await use('list_videos')).value.data).toEqual([])
      expect((await client.listResources()).resources).toEqual([])
      for (const id of [task_id, 'task_0', '../x'])
        await expect(client.readResource({ uri: `sluice://videos/${id}` })).rejects.toMatchObject({
          code: -32_002,
        })
    }
    const foreign = await other.use('get_asset', { asset_id: String(asset.id) })
    expect(foreign).toEqual(await other.use('get_asset', { asset_id: 'asset_0' }))
    expect(foreign).toMatchObject({ isError: true })
    expect((await other.use('list_assets')).value.items).toEqual([])
  })

  test('a fault of the store is logged, and no agent reads its text', async () => {
    const broken = await startVideoApi({
      around: (store) => ({
        ...store,
        tasks: { ...store.tasks, list: () => Promise.reject(new Error('a secret of the store')) },
      }),
    })
    onTestFinished(() => broken.close())
    const { client } = await connect(broken.tenant, broken)
    const { isError, structuredContent } = await client.callTool({ name: 'list_videos', arguments: {} })
    expect({ isError, structuredContent }).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'internal_error' } },
    })
    await expect(client.listResources()).rejects.toThrow(/^(?!.*secret)/)
    const faults = broken.lines.filter(({ event }) => event === 'request.failed')
    expect(faults).toMatchObject(
      Array(2).fill({ level: 'error', fields: { operation: 'listTasks', code: 'internal_error' } }),
    )
  })

  test('MCP=off removes the route', async () => {
    const off = await startTextApi({ environment: { MCP: 'off' } })
    onTestFinished(() => off.close())
    const ping = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
    const headers = { authorization: `Bearer ${off.tenant.key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${off.url}/mcp`, { ...ping, headers })
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  test('POST 400 for a list of messages, 401 without a key; GET and DELETE 405', async () => {
    const { call } = clientOf(api, api.tenant)
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expectApiError(await call('POST', '/mcp', { body: [message, message] }), { status: 400 })
    for (const method of ['GET', 'DELETE'])
      expectApiError(await call(method, '/mcp'), { status: 405, code: 'method_not_allowed' })
    const stranger = clientOf(api, { key: 'sk-none' })
    expectApiError(await stranger.call('POST', '/mcp', { body: '{' }), { status: 401 })
  })
})
