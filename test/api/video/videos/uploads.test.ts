import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../servers/free-port.ts'
import { startTextApi, type TextApi } from '../../text/start-text-api.ts'
import type { Tenant } from '../tenants.ts'

/** Create calls at the vendor, oldest first. */
const created: { content: { type: string; image_url?: { url: string } }[] }[] = []
const vendor = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => void pieces.push(piece))
  request.on('end', () => {
    if (request.method === 'POST') created.push(JSON.parse(Buffer.concat(pieces).toString()))
    const status = request.method === 'GET' ? { status: 'queued' } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: `cgt-${created.length}`, ...status }))
  })
})
const folder = mkdtempSync(join(tmpdir(), 'sluice-uploads-'))
let providers: string
let api: TextApi

beforeAll(async () => {
  const port = await freePort()
  await new Promise<void>((resolve) => vendor.listen(port, '127.0.0.1', resolve))
  providers = `providers:
  vendorA:
    driver: vendor-a
    base_url: http://127.0.0.1:${port}/api/v3
    api_key: none
    models: { gen-2.0: gen-2.0 }`
  api = await start(join(folder, 'data'), { PUBLIC_BASE_URL: 'https://gateway.example', VERIFY_PAGE: 'on' })
})
afterAll(async () => {
  await api.close()
  vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(dataDir: string, environment: Record<string, string>): Promise<TextApi> {
  mkdirSync(dataDir, { recursive: true })
  return startTextApi({
    providers,
    environment: { MEDIA_STORE: 'folder', DATA_DIR: dataDir, ...environment },
  })
}

async function startForOne(name: string, environment: Record<string, string>): Promise<TextApi> {
  const own = await start(join(folder, name), environment)
  onTestFinished(() => own.close())
  return own
}

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('the rest of a picture')])

async function post(
  file: Uint8Array,
  { at = api, tenant = at.tenant, headers = {} }: { at?: TextApi; tenant?: Tenant; headers?: object } = {},
) {
  const form = new FormData()
  form.set('model', 'vendorA/gen-2.0')
  form.set('prompt', 'it moves')
  form.set('input_reference', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'cat.png')
  const answer = await fetch(`${at.url}/v1/videos`, {
    ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${tenant.key}`, ...headers } },
  })
  return { status: answer.status, body: Object(await answer.json()) }
}

const linkSent = () => created.at(-1)?.content[1]?.image_url?.url ?? ''
const openLink = (link: string, at = api) => fetch(link.replace(/^https?:\/\/[^/]+/, at.url))

test('POST /v1/videos 200: the vendor gets a link to the uploaded file, until the task is deleted', async () => {
  const { status, body } = await post(PNG)
  expect([status, body.status]).toEqual([200, 'queued'])
  expect(linkSent()).toMatch(/^https:\/\/gateway\.example\/v1\/media\/[\w-]{51}$/)
  const found = await openLink(linkSent())
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await found.arrayBuffer())).toEqual(PNG)
  const sha256 = createHash('sha256').update(PNG).digest('hex')
  const origin = await fetch(`${api.url}/v1/provenance/${sha256}`)
  expect(await origin.json()).toEqual({ made: false })
  const own = { headers: { authorization: `Bearer ${api.tenant.key}` } }
  const gone = await fetch(`${api.url}/v1/videos/${body.id}`, { method: 'DELETE', ...own })
  expect(gone.status).toBe(200)
  expect((await openLink(linkSent())).status).toBe(410)
})

test('POST /v1/videos: the same file with the same key is one task, and another file is 422', async () => {
  const headers = { 'idempotency-key': 'one upload' }
  const before = created.length
  const first = await post(PNG, { headers })
  const again = await post(PNG, { headers })
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
  expect(created.length).toBe(before + 1)
  const other = Buffer.from(PNG)
  other[PNG.length - 1] = 0
  expect((await post(other, { headers })).status).toBe(422)
})

test('POST /v1/videos 400: a file that is no image', async () => {
  const { status, body } = await post(Buffer.from('a text'))
  expect([status, body.error.param]).toEqual([400, 'input_reference'])
  expect(body.error.message).toMatch(/PNG, JPEG or WebP.*asset:\/\//)
})

test('POST /v1/videos 413: a form of more than 16 MiB', async () => {
  expect((await post(Buffer.alloc(16 * 1024 * 1024, PNG))).status).toBe(413)
})

test('POST /v1/videos 402: no file is kept', async () => {
  const own = await startForOne('poor', { PUBLIC_BASE_URL: 'https://gateway.example' })
  const tenant = await own.openTenant({ creditMicros: 1 })
  expect((await post(PNG, { at: own, tenant })).status).toBe(402)
  expect(readdirSync(join(folder, 'poor'), { recursive: true }).join()).not.toContain('.image')
})

test('POST /v1/videos 400: a file needs an address that vendors can reach; 200 with an allowed local address', async () => {
  const without = await startForOne('without', {})
  const refused = await post(PNG, { at: without })
  expect([refused.status, refused.body.error.param]).toEqual([400, 'input_reference'])
  expect(refused.body.error.message).toMatch(/PUBLIC_BASE_URL/)
  expect(await without.moneyOf(without.tenant)).toMatchObject({ held: 0 })
  const local = await startForOne('local', { OUTBOUND_ALLOW: '127.0.0.0/8' })
  expect((await post(PNG, { at: local })).status).toBe(200)
  expect((await openLink(linkSent(), local)).status).toBe(200)
})

test('POST /v1/videos 503: a file that cannot be stored costs nothing, and the vendor is not called', async () => {
  const own = await startForOne('broken', { PUBLIC_BASE_URL: 'https://gateway.example' })
  mkdirSync(join(folder, 'broken/media'), { recursive: true })
  writeFileSync(join(folder, 'broken/media/kept'), 'a file in place of the folder')
  const before = created.length
  const { status, body } = await post(PNG, { at: own })
  expect([status, body.error.code]).toEqual([503, 'store_unavailable'])
  expect(created.length).toBe(before)
  await expect.poll(() => own.moneyOf(own.tenant)).toMatchObject({ held: 0 })
})
