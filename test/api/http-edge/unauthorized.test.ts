import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Area } from '../../../src/http/edge-request.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { message, response } from '../text/call-text.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'
import { BEHIND_PROXY, newClient } from './new-client.ts'

interface Asked {
  /** Left out: the path of the operation. */
  path?: string
  headers?: Record<string, string>
  body?: string
}

type Headers = Record<string, string>

const ADMIN_KEY = 'an-admin-key-of-the-tests'
const VERSION = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
const JSON_TYPE = { 'content-type': 'application/json' }
const MESSAGE = JSON.stringify(message())
const RESPONSE = JSON.stringify(response())
const COMPLETION = JSON.stringify({ model: 'vendorC/model-4.1', messages: [{ role: 'user', content: 'hi' }] })
const VIDEO = JSON.stringify({ model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a boat' }] })

/** Requests for each operation: correct, and wrong in other ways than by the key. */
const ROWS: Record<string, readonly Asked[]> = {
  createTask: [{ headers: JSON_TYPE, body: VIDEO }, { body: '{' }],
  createQuote: [{ headers: JSON_TYPE, body: VIDEO }, { body: '{' }],
  listTasks: [{}, { path: '/v1/video/generations?limit=-1' }],
  getTask: [{ path: '/v1/video/generations/task_1' }],
  deleteTask: [{ path: '/v1/video/generations/task_1' }],
  getContent: [{ path: '/v1/video/generations/task_1/content' }],
  getProvenance: [{ path: '/v1/video/generations/task_1/provenance' }],
  getTaskReceipt: [{ path: '/v1/video/generations/task_1/receipt' }],
  getTextReceipt: [{ path: '/v1/usage/req_1/receipt' }],
  receiptKeys: [{}],
  listCallbacks: [{}, { path: '/v1/video/callbacks?state=late' }],
  resendCallback: [{ path: '/v1/video/callbacks/msg_1/resend' }],
  openMediaLink: [{ path: '/v1/media/x' }],
  findProvenance: [{ path: '/v1/provenance/x' }],
  getWithoutTaskId: [{}],
  deleteWithoutTaskId: [{}],
  videoResult: [{ headers: JSON_TYPE, body: '{}' }],
  createVideo: [{ headers: JSON_TYPE, body: '{"prompt":"a boat"}' }, { body: '{' }],
  listVideos: [{}, { path: '/v1/videos?order=up' }],
  getVideo: [{ path: '/v1/videos/video_1' }],
  deleteVideo: [{ path: '/v1/videos/video_1' }],
  getVideoContent: [{ path: '/v1/videos/video_1/content' }],
  remixVideo: [{ path: '/v1/videos/video_1/remix' }],
  createNativeTask: [{ headers: JSON_TYPE, body: VIDEO }, { body: '{' }],
  listNativeTasks: [{}, { path: '/api/v3/contents/generations/tasks?page_num=0' }],
  getNativeTask: [{ path: '/api/v3/contents/generations/tasks/cgt-1' }],
  deleteNativeTask: [{ path: '/api/v3/contents/generations/tasks/cgt-1' }],
  createAsset: [{}, { body: '{' }],
  listAssets: [{}, { path: '/v1/video/assets?limit=-1' }],
  getAsset: [{ path: '/v1/video/assets/asset_1' }],
  getWithoutAssetId: [{}],
  createSession: [{}, { body: '{' }],
  verificationReturn: [{ path: '/v1/video/assets/sessions/return/none' }],
  showVerify: [{}],
  showConsent: [{ path: '/v1/video/assets/sessions/consent/none' }],
  revokeConsent: [{ path: '/v1/video/assets/sessions/consent/none' }],
  mcp: [{ headers: JSON_TYPE, body: '{"jsonrpc":"2.0","method":"ping","id":1}' }, { body: '{' }],
  createMessage: [
    { headers: VERSION, body: MESSAGE },
    { headers: JSON_TYPE, body: '{' },
  ],
  countTokens: [{ path: '/v1/messages/count_tokens?beta=true', headers: VERSION, body: MESSAGE }],
  createResponse: [
    { headers: JSON_TYPE, body: RESPONSE },
    { headers: JSON_TYPE, body: '{' },
  ],
  compactResponse: [
    { headers: JSON_TYPE, body: RESPONSE },
    { headers: JSON_TYPE, body: '{' },
  ],
  createChatCompletion: [
    { headers: JSON_TYPE, body: COMPLETION },
    { headers: JSON_TYPE, body: '{' },
  ],
  createEmbeddings: [
    { headers: JSON_TYPE, body: '{"model":"a/b","input":"c"}' },
    { headers: JSON_TYPE, body: '{' },
  ],
  getResponse: [{ path: '/v1/responses/resp_1' }, { path: '/v1/responses/resp_1?stream=maybe' }],
  deleteResponse: [{ path: '/v1/responses/resp_1' }],
  cancelResponse: [{ path: '/v1/responses/resp_1/cancel' }],
  listModels: [{}],
  getModel: [{ path: '/v1/models/vendorC/model-4.1' }],
  getModelByPath: [{ path: '/v1/models/vendorC%2Fmodel-4.1' }],
  getUsage: [{}, { path: '/v1/usage?by=week' }],
  getBalance: [{}],
  syncOrganization: [{ headers: JSON_TYPE, body: '{"organization_id":"org_1"}' }, { body: '[' }],
  syncUser: [{ headers: JSON_TYPE, body: '{"user_id":"usr_1"}' }, { body: '[' }],
  syncModelPrice: [{ headers: JSON_TYPE, body: '{"model_id":1}' }, { body: '[' }],
  home: [{}],
  console: [{}],
  consoleFile: [{ path: '/console/' }, { path: '/console/assets/none.js' }],
  consoleSignIn: [{}],
  consoleOpenId: [{}],
  consoleOpenIdReturn: [{}],
  healthz: [{}],
  readyz: [{}],
  metrics: [{}],
  openApi: [{}],
  docs: [{}],
  docsPage: [{ path: '/docs/text' }],
  llmsText: [{}],
}

/** Wrong ways to send a key; `key` is a valid key. */
const EVERYWHERE: [string, (key: string) => Headers][] = [
  ['no key', () => ({})],
  ['an empty key', () => ({ authorization: 'Bearer ' })],
  ['a wrong key', () => ({ authorization: 'Bearer wrong' })],
  ['an unknown key', () => ({ authorization: 'Bearer sk-sluice-other' })],
  ['a key that lacks its end', (key) => ({ authorization: `Bearer ${key.slice(0, -1)}` })],
  ['a key without its scheme', (key) => ({ authorization: key })],
  ['another scheme', (key) => ({ authorization: `Basic ${key}` })],
]
const TEXT: [string, (key: string) => Headers][] = [
  ['an empty x-api-key', () => ({ 'x-api-key': '' })],
  ['a wrong x-api-key', () => ({ 'x-api-key': 'wrong' })],
  ['an unknown x-api-key', () => ({ 'x-api-key': 'sk-sluice-wrong' })],
  ['an x-api-key that lacks its end', (key) => ({ 'x-api-key': key.slice(0, -1) })],
  ['another x-api-key beside', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': 'sk-sluice-other' })],
  ['another bearer beside', (key) => ({ authorization: 'Bearer sk-sluice-other', 'x-api-key': key })],
]
const SPELLINGS: Record<Area, [string, (key: string) => Headers][]> = {
  messages: [...EVERYWHERE, ...TEXT],
  responses: [...EVERYWHERE, ...TEXT],
  chat: [...EVERYWHERE, ...TEXT],
  video: [...EVERYWHERE, ['the header of the text endpoints', (key) => ({ 'x-api-key': key })]],
  admin: [
    ['no key', () => ({})],
    ['an empty key', () => ({ 'x-admin-key': '' })],
    ['a wrong key', () => ({ 'x-admin-key': 'wrong' })],
    ['an API key', (key) => ({ 'x-admin-key': key, authorization: `Bearer ${key}` })],
    ['the header of the other endpoints', () => ({ authorization: `Bearer ${ADMIN_KEY}` })],
  ],
}

/** Forms of sending the right key. */
const RIGHT: Record<Area, (key: string) => Headers[]> = {
  messages: rightOfText,
  responses: rightOfText,
  chat: rightOfText,
  video: (key) => [{ authorization: `Bearer ${key}` }],
  admin: () => [{ 'x-admin-key': ADMIN_KEY }],
}

const WRONG: Headers[] = [{}, { authorization: 'Bearer wrong' }, { 'x-api-key': 'wrong' }]

const GUARDED = OPERATIONS.filter(({ access }) => access !== 'open')
/** Operations without a guard. `adminGetSession` is left out, because it answers 401 to a browser without a session. */
const OPEN = OPERATIONS.filter(({ access, id }) => access === 'open' && id !== 'adminGetSession')

/** The rows of the admin API differ in their path alone. */
for (const { id, path, body } of OPERATIONS) {
  if (!path.startsWith('/admin/v1/')) continue
  ROWS[id] = [
    { path: path.replaceAll(/:\w+/g, 'none'), ...(body !== undefined && { headers: JSON_TYPE, body: '{}' }) },
  ]
}

test('every operation has a row', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
})

describe('a request without the right key', () => {
  let api: TextApi
  beforeAll(async () => {
    api = await startTextApi({ environment: { ADMIN_API_KEY: ADMIN_KEY, ...BEHIND_PROXY } })
  })
  afterAll(() => api.close())

  const ask = ({ method, path }: Operation, asked: Asked, headers: Headers) =>
    fetch(`${api.url}${asked.path ?? path}`, {
      ...{ method, redirect: 'manual', headers: { ...newClient(), ...asked.headers, ...headers } },
      body: asked.body ?? null,
    })

  test.each(
    GUARDED.flatMap((operation) =>
      SPELLINGS[operation.area].map(
        ([name, spell]) => [`${operation.method} ${operation.path}`, name, operation, spell] as const,
      ),
    ),
  )('%s with %s is refused before any other check', async (_where, _name, operation, spell) => {
    for (const asked of ROWS[operation.id] ?? []) {
      const answer = await ask(operation, asked, spell(api.tenant.key))
      expect(answer.status).toBe(401)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('www-authenticate')).toBe(
        operation.access === 'admin' ? 'X-Admin-Key' : 'Bearer',
      )
      const requestId = answer.headers.get('x-request-id')
      expect(requestId).toMatch(/^req_\w+$/)
      expect(await answer.json()).toEqual(ENVELOPES[operation.area](requestId))
    }
  })

  test.each(GUARDED.filter(({ access }) => access !== 'admin'))(
    '$method $path distinguishes a missing key from a wrong one',
    async (operation) => {
      const [asked = {}] = ROWS[operation.id] ?? []
      const messageWith = async (headers: Headers) => {
        const { error } = Object(await (await ask(operation, asked, headers)).json())
        return Object(error).message
      }
      expect(await messageWith({})).toBe(
        'Missing API key. Send it once, in the header Authorization: Bearer sk-sluice-... (text endpoints also take x-api-key).',
      )
      const wrong = 'Invalid API key. It was revoked, or this gateway never made it.'
      expect(await messageWith({ authorization: 'Bearer no-key' })).toBe(wrong)
      const { key } = api.tenant
      const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
      expect(await messageWith({ authorization: `Bearer ${other}` })).toBe(wrong)
    },
  )

  test.each(GUARDED)('$method $path accepts the right key', async (operation) => {
    for (const headers of RIGHT[operation.area](api.tenant.key)) {
      for (const asked of ROWS[operation.id] ?? []) {
        const answer = await ask(operation, asked, headers)
        expect(answer.status).toBeLessThan(500)
        expect(answer.status).not.toBe(401)
        if (operation.id === 'adminWatchRequests') {
          await answer.body?.cancel()
          continue
        }
        const text = await answer.text()
        if (operation.id === 'countTokens') expect(text).toMatch(/^\{"input_tokens":\d+\}$/)
      }
    }
  })

  test.each(OPEN)('$method $path asks for no key', async (operation) => {
    for (const headers of WRONG) {
      for (const asked of ROWS[operation.id] ?? []) {
        const answer = await ask(operation, asked, headers)
        expect(answer.status).not.toBe(401)
        await answer.text()
      }
    }
  })
})

function rightOfText(key: string): Headers[] {
  return [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]
}

const ENVELOPES: Record<Area, (requestId: string | null) => unknown> = {
  video: openEnvelope,
  responses: openEnvelope,
  chat: openEnvelope,
  messages: (requestId) => ({
    type: 'error',
    error: { type: 'authentication_error', message: expect.any(String) },
    request_id: requestId,
  }),
  admin: () => ({ error: 'unauthorized' }),
}

function openEnvelope(): unknown {
  const known = { type: 'authentication_error', code: 'invalid_api_key', param: null }
  return { error: { ...known, message: expect.any(String) } }
}
