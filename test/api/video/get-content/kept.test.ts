import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../text/start-text-api.ts'
import type { Tenant } from '../tenants.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sluice-media-'))
let api: TextApi
let id: string

beforeAll(async () => {
  api = await startTextApi({
    sandboxSpeed: 2_000,
    environment: {
      MEDIA_STORE: 'folder',
      VERIFY_PAGE: 'on',
      DATA_DIR: dataDir,
      ADMIN_API_KEY: 'an-admin-key-of-the-tests-1234567890',
    },
  })
  id = await make()
})
afterAll(async () => {
  await api.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function ask(path: string, { tenant = api.tenant, ...init }: RequestInit & { tenant?: Tenant } = {}) {
  const headers = { authorization: `Bearer ${tenant.key}`, ...init.headers }
  return fetch(`${api.url}/v1/video/generations${path}`, { ...init, headers })
}

async function make(tenant = api.tenant): Promise<string> {
  const made = await ask('', {
    tenant,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'vendorA/gen-2.0',
      content: [{ type: 'text', text: 'a cat [instant]' }],
      duration: 4,
      return_last_frame: true,
    }),
  })
  return String(Object(await made.json()).id)
}

const taskOf = async (taskId: string) => Object(await (await ask(`/${taskId}`)).json())
const linkOf = async (taskId: string): Promise<string> => String((await taskOf(taskId)).content?.video_url)

async function linkOfKept(taskId: string): Promise<string> {
  await expect.poll(() => linkOf(taskId)).toMatch(/\/v1\/media\/[\w-]{51}$/)
  return linkOf(taskId)
}

describe('with MEDIA_STORE=folder', () => {
  test('GET /v1/video/generations/{id} 200: the link is our own once the video is kept, and so is the link of the last picture', async () => {
    const link = await linkOfKept(id)
    const answer = await fetch(link)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
    expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    await expect.poll(async () => (await taskOf(id)).content.last_frame_url).toMatch(/\/v1\/media\//)
    expect((await fetch((await taskOf(id)).content.last_frame_url)).headers.get('content-type')).toMatch(
      /^image/,
    )
  })

  test('GET .../content 200, 206, 304, 416 and HEAD 200: from the copy, while the vendor fails', async () => {
    await linkOfKept(id)
    await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 403 } })
    const whole = await ask(`/${id}/content`)
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-length')).toBe(`${bytes.length}`)
    const head = await ask(`/${id}/content`, { method: 'HEAD' })
    expect(Object.fromEntries(head.headers)).toMatchObject({ etag, 'content-length': `${bytes.length}` })
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await ask(`/${id}/content`, { headers: { range, ...more } })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    expect(await part('bytes=4-7')).toEqual([206, `bytes 4-7/${bytes.length}`, 'ftyp'])
    expect((await part(`bytes=-${bytes.length + 9}`))[1]).toBe(`bytes 0-${bytes.length - 1}/${bytes.length}`)
    expect((await part(`bytes=${bytes.length}-`)).slice(0, 2)).toEqual([416, `bytes */${bytes.length}`])
    expect((await part('bytes=-0'))[0]).toBe(416)
    expect((await part('bytes=-0'))[2]).toBe('')
    expect((await part('bytes=4-7', { 'if-range': '"other"' }))[0]).toBe(200)
    expect((await ask(`/${id}/content`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await ask(`/${id}/content?kind=sound`)).status).toBe(400)
    await api.vendor.clearFaults()
  })

  test('GET .../content 404: the task of another organization', async () => {
    const other = await api.openTenant()
    expect((await ask(`/${id}/content`, { tenant: other })).status).toBe(404)
  })

  test('GET /v1/media/{token} 404: a token that was not made here', async () => {
    const link = await linkOfKept(id)
    // The last letter carries unused bits, so another letter is changed.
    const forged = link.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
    expect((await fetch(forged)).status).toBe(404)
  })

  test('GET .../provenance 200: hash and picture with the signed entry; GET /v1/provenance/{sha256} 200 knows the file', async () => {
    const link = await linkOfKept(id)
    const sha256 = createHash('sha256')
      .update(Buffer.from(await (await fetch(link)).arrayBuffer()))
      .digest('hex')
    const shown = Object(await (await ask(`/${id}/provenance`)).json())
    expect(shown).toMatchObject({ task_id: id, sha256, media_type: 'video/mp4', watermark: null })
    expect(shown.duration_ms).toBeGreaterThan(0)
    expect(shown.marks).toMatchObject({ aigc: null })
    const entry = JSON.parse(Buffer.from(shown.entry.payload, 'base64url').toString())
    expect(entry).toMatchObject({ kind: 'video.clip', task_id: id, sha256, has_verified_person: false })
    expect((await ask(`/${id}/provenance`, { tenant: await api.openTenant() })).status).toBe(404)
    const lookUp = async (hash: string) => {
      const answer = await fetch(`${api.url}/v1/provenance/${hash}`)
      return [answer.status, Object(await answer.json())]
    }
    const made = { made: true, model: 'vendorA/gen-2.0', consent: 'none' }
    expect(await lookUp(sha256)).toMatchObject([200, made])
    expect(await lookUp('0'.repeat(64))).toEqual([200, { made: false }])
    expect((await lookUp('x'))[0]).toBe(400)
    const statuses = await Promise.all(
      Array.from({ length: 61 }, async () => (await lookUp('0'.repeat(64)))[0]),
    )
    expect(statuses).toContain(429)
  })

  test('DELETE 200: the link answers 410 immediately, and the file goes', async () => {
    const gone = await make()
    const link = await linkOfKept(gone)
    const folders = () => readdirSync(join(dataDir, 'media', 'kept'), { recursive: true }).length
    await expect.poll(async () => (await taskOf(gone)).content.last_frame_url).toMatch(/\/v1\/media\//)
    const before = folders()
    expect((await ask(`/${gone}`, { method: 'DELETE' })).status).toBe(200)
    expect((await fetch(link)).status).toBe(410)
    expect((await ask(`/${gone}/content`)).status).toBe(404)
    await expect.poll(folders).toBe(before - 4)
  })

  test('an organization with keep_media off: no copy is made, and provenance is 409', async () => {
    const other = await api.openTenant()
    const off = await fetch(`${api.url}/admin/v1/organizations/${other.organizationId}`, {
      method: 'POST',
      headers: {
        'x-admin-key': 'an-admin-key-of-the-tests-1234567890',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ keep_media: 'off' }),
    })
    expect(await off.json()).toMatchObject({ keep_media: 'off' })
    const theirs = await make(other)
    await expect
      .poll(async () => Object(await (await ask(`/${theirs}`, { tenant: other })).json()).status)
      .toBe('succeeded')
    expect(await api.store.clips.listOfTasks([theirs])).toEqual([])
    const refused = await ask(`/${theirs}/provenance`, { tenant: other })
    expect([refused.status, Object(await refused.json()).error.code]).toEqual([409, 'clip_not_kept'])
  })

  test('after its last day a copy has no own link: content comes from the vendor, else 410; provenance stays', async () => {
    const old = await make()
    const link = await linkOfKept(old)
    await expect.poll(async () => (await taskOf(old)).content.last_frame_url).toMatch(/\/v1\/media\//)
    const farMs = Date.now() + 31 * 86_400_000
    await api.store.clips.eraseExpired({ nowMs: farMs, limit: 100 })
    expect((await fetch(link)).status).toBe(410)
    expect(await linkOf(old)).toContain('/vendor-a/')
    const ofVendor = await ask(`/${old}/content`)
    expect([ofVendor.status, ofVendor.headers.get('etag')]).toEqual([200, null])
    await api.vendor.breakDown({ operation: 'clip', fault: { kind: 'status', status: 403 } })
    expect((await ask(`/${old}/content`)).status).toBe(410)
    await api.vendor.clearFaults()
    expect((await ask(`/${old}/provenance`)).status).toBe(200)
  })

  test('a video and its last picture are served by our links after the host of the vendor is gone', async () => {
    const made = await make()
    await linkOfKept(made)
    await expect.poll(async () => (await taskOf(made)).content.last_frame_url).toMatch(/\/v1\/media\//)
    const copies = await api.store.clips.listOfTasks([made])
    await api.vendor.stop()
    const { video_url, last_frame_url } = (await taskOf(made)).content
    for (const [kind, link] of Object.entries({ video: video_url, last_frame: last_frame_url })) {
      const answer = await fetch(link)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const copy = copies.find((one) => one.kind === kind)
      expect({ kind, status: answer.status, sha256 }).toEqual({
        kind,
        status: 200,
        sha256: copy?.facts?.sha256,
      })
    }
    expect((await ask(`/${made}/content`)).status).toBe(200)
  })
})
