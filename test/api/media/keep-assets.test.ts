import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AssetClient, assetClientOf } from '../assets/call-assets.ts'
import { startTextApi, type TextApi } from '../text/start-text-api.ts'

const ADMIN_KEY = 'an-admin-key-of-the-tests-1234567890'
const HOUR_MS = 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-assets-'))
let api: TextApi
let client: AssetClient

beforeAll(async () => {
  api = await startTextApi({
    sandboxSpeed: 2_000,
    environment: {
      ...{ MEDIA_STORE: 'folder', DATA_DIR: folder, ADMIN_API_KEY: ADMIN_KEY },
      ...{ MARK_CLIPS: 'aigc', VERIFY_PAGE: 'on' },
    },
  })
  client = assetClientOf(api as never, api.tenant)
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const admin = (path: string, init: RequestInit = {}) =>
  fetch(`${api.url}/admin/v1${path}`, { ...init, headers: { 'x-admin-key': ADMIN_KEY } })
const linkOf = async (id: string): Promise<string> => String((await client.getAsset(id)).body.url)
const copyOf = async (id: string) => (await api.store.clips.listOfTasks([id]))[0]

async function linkOfKept(id: string): Promise<string> {
  await expect.poll(() => linkOf(id)).toMatch(/\/v1\/media\/[\w-]{51}$/)
  return linkOf(id)
}

async function read(link: string) {
  const answer = await fetch(link)
  const sha256 = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
  return { status: answer.status, type: answer.headers.get('content-type'), sha256 }
}

test.each([
  ['Image', 'png', 'image/png'],
  ['Video', 'mp4', 'video/mp4'],
  ['Audio', 'wav', 'audio/wav'],
])(
  '%s: Get, List and the console show the unmarked copy while the vendor is unreachable',
  async (asset_type, end, type) => {
    const id = await client.make({ url: `https://media.example/cat-instant.${end}`, asset_type })
    const link = await linkOfKept(id)
    const copy = await copyOf(id)
    const sha256 = copy?.facts?.sha256
    expect(copy).toMatchObject({ kind: 'asset', facts: { sourceSha256: sha256 } })
    expect(Number(copy?.facts?.bytes)).toBeGreaterThan(100)
    const fault = { kind: 'status', status: 503 } as const
    await api.vendor.breakDown({ part: 'vendor-a-assets', fault })
    await api.vendor.breakDown({ operation: 'media', fault })
    expect(await read(link)).toEqual({ status: 200, type, sha256 })
    expect(await read(await linkOf(id))).toEqual({ status: 200, type, sha256 })
    const { items } = Object((await client.listAssets()).body)
    const shown = Object(items).find((item: { id: string }) => item.id === id)
    expect(await read(shown.url)).toEqual({ status: 200, type, sha256 })
    expect((await admin(`/assets/${id}/content`)).headers.get('etag')).toBe(`"${sha256}"`)
    await api.vendor.clearFaults()
    const lookUp = await fetch(`${api.url}/v1/provenance/${sha256}`)
    expect(await lookUp.json()).toEqual({ made: false })
  },
)

test('a link to an asset ends after 12 hours', async () => {
  const token = (await linkOfKept(await client.make())).split('/').at(-1) ?? ''
  const endsMs = Buffer.from(token, 'base64url').readUIntBE(16, 6) * 1_000
  expect(Math.round((endsMs - Date.now()) / HOUR_MS)).toBe(12)
})

test('a person is erased: the link to the portrait answers 410, the file goes, and the report names it', async () => {
  const group_id = await client.verify()
  const id = await client.make({ url: 'https://media.example/face-instant.png', group_id })
  const link = await linkOfKept(id)
  const { sha256, status } = await read(link)
  expect(status).toBe(200)
  const erased = await admin(`/groups/${group_id}`, { method: 'DELETE' })
  expect(Object(await erased.json()).files).toEqual([{ asset_id: id, sha256 }])
  expect((await read(link)).status).toBe(410)
  const { id: clip } = (await copyOf(id)) ?? { id: 'none' }
  const files = () => readdirSync(join(folder, 'media', 'kept'), { recursive: true }).map(String)
  await expect.poll(() => files().filter((path) => path.includes(clip))).toEqual([])
})

test('an organization is erased: the link to its asset answers 410, and the report names the asset', async () => {
  const tenant = await api.openTenant()
  const owner = assetClientOf(api as never, tenant)
  const id = await owner.make({ url: 'https://media.example/cat-instant.png' })
  const isKept = async () => /\/v1\/media\//.test(String((await owner.getAsset(id)).body.url))
  await expect.poll(isKept).toBe(true)
  const link = String((await owner.getAsset(id)).body.url)
  const { sha256 } = await read(link)
  const erased = await admin(`/organizations/${tenant.organizationId}`, { method: 'DELETE' })
  expect(Object(await erased.json()).files).toEqual([{ asset_id: id, sha256 }])
  expect((await read(link)).status).toBe(410)
})

test('an organization that wants no copies keeps the link of the vendor', async () => {
  const tenant = await api.openTenant()
  await api.store.organizations.update(
    { id: tenant.organizationId, keepMedia: 'off' },
    {
      id: 'aud_off',
      atMs: 1,
      actor: 'cli',
      action: 'organization.update',
      organizationId: null,
      subject: '',
      detail: {},
    },
  )
  const other = assetClientOf(api as never, tenant)
  const id = await other.make()
  await expect.poll(async () => (await other.getAsset(id)).body.status).toBe('active')
  expect(await copyOf(id)).toBeUndefined()
  expect(String((await other.getAsset(id)).body.url)).toContain('/media/landscape')
})
